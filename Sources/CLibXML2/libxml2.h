#include <libxml/xmlversion.h>
// Where libxml2 is built with ICU its headers pull in ICU's, which clash with Foundation's own; we need nothing of it.
#undef LIBXML_ICU_ENABLED
#include <libxml/parser.h>
#include <libxml/parserInternals.h>
#include <libxml/SAX2.h>
#include <libxml/xmlerror.h>
