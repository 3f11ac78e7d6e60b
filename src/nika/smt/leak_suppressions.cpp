// cvc5's arithmetic library keeps one small block until the end of the process, which the leak sanitizer would report
// in every program that is linked with it. In other builds this file is empty.
#ifdef NIKA_SANITIZED
extern "C" const char* __lsan_default_suppressions();
extern "C" const char* __lsan_default_suppressions() { return "leak:libcln"; }
#endif
