// cvc5 and its arithmetic library keep small blocks until the end of the process, and Z3 4.8.12 loses a few objects in
// some queries of its Horn clause engine, which the leak sanitizer would report. In other builds this file is empty.
#ifdef NIKA_SANITIZED
extern "C" const char* __lsan_default_suppressions();
extern "C" const char* __lsan_default_suppressions() { return "leak:libcln\nleak:libcvc5\nleak:libz3"; }

// And without a word about it: what the program prints is part of its contract.
extern "C" const char* __lsan_default_options();
extern "C" const char* __lsan_default_options() { return "print_suppressions=0"; }
#endif
