# nika_build_page(VARIABLE): how web/ becomes one HTML file in the build folder, and its path; empty without Node.js or
# without the packages of web/, which `./dev build` installs. Nothing here touches the network.
function(nika_build_page variable)
  set(${variable} "" PARENT_SCOPE)
  set(web ${PROJECT_SOURCE_DIR}/web)
  find_program(NIKA_NODE NAMES node nodejs)
  if(NOT NIKA_NODE OR NOT EXISTS ${web}/node_modules/vite/bin/vite.js)
    message(STATUS "The page of reports is left out: Node.js or the packages of web/ are missing (./dev build gets both)")
    return()
  endif()
  file(GLOB sources CONFIGURE_DEPENDS ${web}/src/*.ts ${web}/src/*.css ${web}/index.html ${web}/*.json ${web}/vite.config.ts)
  set(page ${PROJECT_BINARY_DIR}/web/index.html)
  add_custom_command(OUTPUT ${page}
    COMMAND ${NIKA_NODE} ${web}/node_modules/vite/bin/vite.js build --logLevel warn --outDir ${PROJECT_BINARY_DIR}/web
    WORKING_DIRECTORY ${web} DEPENDS ${sources} COMMENT "The page of reports" VERBATIM)
  set(${variable} ${page} PARENT_SCOPE)
endfunction()
