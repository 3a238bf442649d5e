#include "sim/trace/opcode.h"

#include <string.h>

bool wf_sass_generation_of(unsigned version, wf_sass_generation *g) {
  static const struct {
    unsigned low, high;
    wf_sass_generation generation;
  } spans[] = {{30, 37, WF_SASS_KEPLER}, {50, 53, WF_SASS_MAXWELL}, {60, 62, WF_SASS_PASCAL},
               {70, 72, WF_SASS_VOLTA},  {75, 75, WF_SASS_TURING},  {80, 89, WF_SASS_AMPERE},
               {90, 90, WF_SASS_HOPPER}};
  for (size_t i = 0; i < sizeof spans / sizeof *spans; i++)
    if (version >= spans[i].low && version <= spans[i].high) return *g = spans[i].generation, true;
  return false;
}

const char *wf_sass_generation_name(wf_sass_generation g) {
  static const char *const names[WF_SASS_GENERATIONS] = {"Kepler", "Maxwell", "Pascal", "Volta",
                                                         "Turing", "Ampere",  "Hopper"};
  return names[g];
}

/* Generations of an entry: letters k m p v t a h. */
#define OLD "kmp"  /* control words apart, predicates set by stack operations */
#define NEW "vtah" /* 128-bit instructions */
#define UNI "tah"  /* with a uniform datapath */
#define ALL "kmpvtah"

typedef struct entry {
  const char *name, *generations;
  ptx_class cls;
  ptx_space space;
} entry;

/* Sorted by name, for bsearch. A name may stand once only. */
static const entry entries[] = {
    {"ACQBULK", "h", PTX_CLASS_INT, 0},
    {"ACQSHMINIT", "h", PTX_CLASS_INT, 0},
    {"ATOM", ALL, PTX_CLASS_ATOMIC, PTX_SPACE_GENERIC},
    {"ATOMG", NEW, PTX_CLASS_ATOMIC, PTX_SPACE_GLOBAL},
    {"ATOMS", "mpvtah", PTX_CLASS_ATOMIC, PTX_SPACE_SHARED},
    {"B2R", ALL, PTX_CLASS_INT, 0},
    {"BAR", ALL, PTX_CLASS_BARRIER, 0},
    {"BFE", OLD, PTX_CLASS_INT, 0},
    {"BFI", OLD, PTX_CLASS_INT, 0},
    {"BGMMA", "h", PTX_CLASS_FP32, 0},
    {"BMMA", UNI, PTX_CLASS_FP32, 0},
    {"BMOV", NEW, PTX_CLASS_INT, 0},
    {"BMSK", NEW, PTX_CLASS_INT, 0},
    {"BPT", ALL, PTX_CLASS_BRANCH, 0},
    {"BRA", ALL, PTX_CLASS_BRANCH, 0},
    {"BREAK", NEW, PTX_CLASS_INT, 0},
    {"BREV", NEW, PTX_CLASS_IMUL, 0},
    {"BRK", OLD, PTX_CLASS_BRANCH, 0},
    {"BRX", ALL, PTX_CLASS_BRANCH, 0},
    {"BRXU", UNI, PTX_CLASS_BRANCH, 0},
    {"BSSY", NEW, PTX_CLASS_INT, 0},
    {"BSYNC", NEW, PTX_CLASS_BRANCH, 0},
    {"CAL", OLD, PTX_CLASS_BRANCH, 0},
    {"CALL", NEW, PTX_CLASS_BRANCH, 0},
    {"CCTL", ALL, PTX_CLASS_INT, 0},
    {"CCTLL", ALL, PTX_CLASS_INT, 0},
    {"CCTLT", "mpvtah", PTX_CLASS_INT, 0},
    {"CGAERRBAR", "h", PTX_CLASS_INT, 0},
    {"CONT", OLD, PTX_CLASS_BRANCH, 0},
    {"CS2R", "mpvtah", PTX_CLASS_INT, 0},
    {"CSET", OLD, PTX_CLASS_INT, 0},
    {"CSETP", OLD, PTX_CLASS_INT, 0},
    {"CSMTEST", NEW, PTX_CLASS_INT, 0},
    {"DADD", ALL, PTX_CLASS_FP64, 0},
    {"DEPBAR", ALL, PTX_CLASS_INT, 0},
    {"DFMA", ALL, PTX_CLASS_FP64, 0},
    {"DMMA", "ah", PTX_CLASS_FP64, 0},
    {"DMNMX", OLD, PTX_CLASS_FP64, 0},
    {"DMUL", ALL, PTX_CLASS_FP64, 0},
    {"DSET", OLD, PTX_CLASS_FP64, 0},
    {"DSETP", ALL, PTX_CLASS_FP64, 0},
    {"ELECT", "h", PTX_CLASS_INT, 0},
    {"ENDCOLLECTIVE", "h", PTX_CLASS_INT, 0},
    {"ERRBAR", NEW, PTX_CLASS_INT, 0},
    {"EXIT", ALL, PTX_CLASS_EXIT, 0},
    {"F2F", ALL, PTX_CLASS_FP32, 0},
    {"F2FP", UNI, PTX_CLASS_FP32, 0},
    {"F2I", ALL, PTX_CLASS_FP32, 0},
    {"F2IP", "ah", PTX_CLASS_FP32, 0},
    {"FADD", ALL, PTX_CLASS_FP32, 0},
    {"FADD32I", ALL, PTX_CLASS_FP32, 0},
    {"FCHK", ALL, PTX_CLASS_FP32, 0},
    {"FCMP", OLD, PTX_CLASS_FP32, 0},
    {"FENCE", "h", PTX_CLASS_FENCE, 0},
    {"FFMA", ALL, PTX_CLASS_FP32, 0},
    {"FFMA32I", ALL, PTX_CLASS_FP32, 0},
    {"FLO", ALL, PTX_CLASS_IMUL, 0},
    {"FMNMX", ALL, PTX_CLASS_FP32, 0},
    {"FMUL", ALL, PTX_CLASS_FP32, 0},
    {"FMUL32I", ALL, PTX_CLASS_FP32, 0},
    {"FRND", NEW, PTX_CLASS_FP32, 0},
    {"FSEL", NEW, PTX_CLASS_FP32, 0},
    {"FSET", ALL, PTX_CLASS_FP32, 0},
    {"FSETP", ALL, PTX_CLASS_FP32, 0},
    {"FSWZ", "k", PTX_CLASS_FP32, 0},
    {"FSWZADD", "mpvtah", PTX_CLASS_FP32, 0},
    {"GETLMEMBASE", ALL, PTX_CLASS_INT, 0},
    {"HADD2", "pvtah", PTX_CLASS_FP32, 0},
    {"HADD2_32I", "pvtah", PTX_CLASS_FP32, 0},
    {"HFMA2", "pvtah", PTX_CLASS_FP32, 0},
    {"HFMA2_32I", "pvtah", PTX_CLASS_FP32, 0},
    {"HGMMA", "h", PTX_CLASS_FP32, 0},
    {"HMMA", NEW, PTX_CLASS_FP32, 0},
    {"HMNMX2", "ah", PTX_CLASS_FP32, 0},
    {"HMUL2", "pvtah", PTX_CLASS_FP32, 0},
    {"HMUL2_32I", "pvtah", PTX_CLASS_FP32, 0},
    {"HSET2", "pvtah", PTX_CLASS_FP32, 0},
    {"HSETP2", "pvtah", PTX_CLASS_FP32, 0},
    {"I2F", ALL, PTX_CLASS_FP32, 0},
    {"I2FP", "ah", PTX_CLASS_FP32, 0},
    {"I2I", ALL, PTX_CLASS_INT, 0},
    {"I2IP", UNI, PTX_CLASS_INT, 0},
    {"IABS", NEW, PTX_CLASS_INT, 0},
    {"IADD", ALL, PTX_CLASS_INT, 0},
    {"IADD3", "mpvtah", PTX_CLASS_INT, 0},
    {"IADD32I", ALL, PTX_CLASS_INT, 0},
    {"ICMP", OLD, PTX_CLASS_INT, 0},
    {"IDP", "pvtah", PTX_CLASS_IMUL, 0},
    {"IDP4A", NEW, PTX_CLASS_IMUL, 0},
    {"IGMMA", "h", PTX_CLASS_FP32, 0},
    {"IMAD", ALL, PTX_CLASS_IMUL, 0},
    {"IMADSP", "k", PTX_CLASS_IMUL, 0},
    {"IMMA", UNI, PTX_CLASS_FP32, 0},
    {"IMNMX", ALL, PTX_CLASS_INT, 0},
    {"IMUL", ALL, PTX_CLASS_IMUL, 0},
    {"IMUL32I", ALL, PTX_CLASS_IMUL, 0},
    {"ISAD", "k", PTX_CLASS_INT, 0},
    {"ISCADD", ALL, PTX_CLASS_INT, 0},
    {"ISCADD32I", ALL, PTX_CLASS_INT, 0},
    {"ISET", OLD, PTX_CLASS_INT, 0},
    {"ISETP", ALL, PTX_CLASS_INT, 0},
    {"JCAL", OLD, PTX_CLASS_BRANCH, 0},
    {"JMP", ALL, PTX_CLASS_BRANCH, 0},
    {"JMX", ALL, PTX_CLASS_BRANCH, 0},
    {"JMXU", UNI, PTX_CLASS_BRANCH, 0},
    {"KIL", OLD, PTX_CLASS_EXIT, 0},
    {"KILL", NEW, PTX_CLASS_EXIT, 0},
    {"LD", ALL, PTX_CLASS_LOAD, PTX_SPACE_GENERIC},
    {"LDC", ALL, PTX_CLASS_LOAD, PTX_SPACE_CONST},
    {"LDG", ALL, PTX_CLASS_LOAD, PTX_SPACE_GLOBAL},
    {"LDGDEPBAR", "ah", PTX_CLASS_INT, 0},
    {"LDGMC", "h", PTX_CLASS_LOAD, PTX_SPACE_GLOBAL},
    {"LDGSTS", "ah", PTX_CLASS_LOAD, PTX_SPACE_GLOBAL},
    {"LDL", ALL, PTX_CLASS_LOAD, PTX_SPACE_LOCAL},
    {"LDS", ALL, PTX_CLASS_LOAD, PTX_SPACE_SHARED},
    {"LDSM", UNI, PTX_CLASS_LOAD, PTX_SPACE_SHARED},
    {"LDU", OLD, PTX_CLASS_LOAD, PTX_SPACE_GLOBAL},
    {"LEA", "mpvtah", PTX_CLASS_INT, 0},
    {"LEPC", ALL, PTX_CLASS_INT, 0},
    {"LONGJMP", OLD, PTX_CLASS_BRANCH, 0},
    {"LOP", ALL, PTX_CLASS_INT, 0},
    {"LOP3", "mpvtah", PTX_CLASS_INT, 0},
    {"LOP32I", ALL, PTX_CLASS_INT, 0},
    {"MATCH", NEW, PTX_CLASS_INT, 0},
    {"MEMBAR", ALL, PTX_CLASS_FENCE, 0},
    {"MOV", ALL, PTX_CLASS_INT, 0},
    {"MOV32I", ALL, PTX_CLASS_INT, 0},
    {"MOVM", UNI, PTX_CLASS_INT, 0},
    {"MUFU", ALL, PTX_CLASS_SFU, 0},
    {"NANOSLEEP", NEW, PTX_CLASS_INT, 0},
    {"NOP", ALL, PTX_CLASS_INT, 0},
    {"P2R", ALL, PTX_CLASS_INT, 0},
    {"PBK", OLD, PTX_CLASS_INT, 0},
    {"PCNT", OLD, PTX_CLASS_INT, 0},
    {"PEXIT", OLD, PTX_CLASS_INT, 0},
    {"PLONGJMP", OLD, PTX_CLASS_INT, 0},
    {"PLOP3", NEW, PTX_CLASS_INT, 0},
    {"PMTRIG", ALL, PTX_CLASS_INT, 0},
    {"POPC", ALL, PTX_CLASS_IMUL, 0},
    {"PREEXIT", "h", PTX_CLASS_INT, 0},
    {"PRET", OLD, PTX_CLASS_INT, 0},
    {"PRMT", ALL, PTX_CLASS_INT, 0},
    {"PSET", OLD, PTX_CLASS_INT, 0},
    {"PSETP", ALL, PTX_CLASS_INT, 0},
    {"QGMMA", "h", PTX_CLASS_FP32, 0},
    {"QMMA", "ah", PTX_CLASS_FP32, 0},
    {"QSPC", NEW, PTX_CLASS_INT, 0},
    {"R2B", ALL, PTX_CLASS_INT, 0},
    {"R2P", ALL, PTX_CLASS_INT, 0},
    {"R2UR", UNI, PTX_CLASS_INT, 0},
    {"RAM", OLD, PTX_CLASS_BRANCH, 0},
    {"RED", ALL, PTX_CLASS_ATOMIC, PTX_SPACE_GENERIC},
    {"REDAS", "h", PTX_CLASS_ATOMIC, PTX_SPACE_SHARED},
    {"REDG", "h", PTX_CLASS_ATOMIC, PTX_SPACE_GLOBAL},
    {"REDUX", "ah", PTX_CLASS_INT, 0},
    {"RET", ALL, PTX_CLASS_BRANCH, 0},
    {"RPCMOV", NEW, PTX_CLASS_INT, 0},
    {"RRO", OLD, PTX_CLASS_SFU, 0},
    {"RTT", ALL, PTX_CLASS_BRANCH, 0},
    {"S2R", ALL, PTX_CLASS_INT, 0},
    {"S2UR", UNI, PTX_CLASS_INT, 0},
    {"SEL", ALL, PTX_CLASS_INT, 0},
    {"SETCTAID", NEW, PTX_CLASS_INT, 0},
    {"SETLMEMBASE", ALL, PTX_CLASS_INT, 0},
    {"SGXT", NEW, PTX_CLASS_INT, 0},
    {"SHF", ALL, PTX_CLASS_INT, 0},
    {"SHFL", ALL, PTX_CLASS_INT, 0},
    {"SHL", ALL, PTX_CLASS_INT, 0},
    {"SHR", ALL, PTX_CLASS_INT, 0},
    {"SSY", OLD, PTX_CLASS_INT, 0},
    {"ST", ALL, PTX_CLASS_STORE, PTX_SPACE_GENERIC},
    {"STAS", "h", PTX_CLASS_STORE, PTX_SPACE_SHARED},
    {"STG", ALL, PTX_CLASS_STORE, PTX_SPACE_GLOBAL},
    {"STL", ALL, PTX_CLASS_STORE, PTX_SPACE_LOCAL},
    {"STS", ALL, PTX_CLASS_STORE, PTX_SPACE_SHARED},
    {"STSM", "h", PTX_CLASS_STORE, PTX_SPACE_SHARED},
    {"SUATOM", UNI, PTX_CLASS_ATOMIC, PTX_SPACE_GLOBAL},
    {"SULD", ALL, PTX_CLASS_LOAD, PTX_SPACE_GLOBAL},
    {"SURED", ALL, PTX_CLASS_ATOMIC, PTX_SPACE_GLOBAL},
    {"SUST", ALL, PTX_CLASS_STORE, PTX_SPACE_GLOBAL},
    {"SYNC", OLD, PTX_CLASS_BRANCH, 0},
    {"SYNCS", "h", PTX_CLASS_INT, 0},
    {"TEX", ALL, PTX_CLASS_LOAD, PTX_SPACE_GLOBAL},
    {"TEXDEPBAR", "k", PTX_CLASS_INT, 0},
    {"TEXS", "mp", PTX_CLASS_LOAD, PTX_SPACE_GLOBAL},
    {"TLD", ALL, PTX_CLASS_LOAD, PTX_SPACE_GLOBAL},
    {"TLD4", ALL, PTX_CLASS_LOAD, PTX_SPACE_GLOBAL},
    {"TLDS", "mp", PTX_CLASS_LOAD, PTX_SPACE_GLOBAL},
    {"TMML", "mpvtah", PTX_CLASS_INT, 0},
    {"TXD", ALL, PTX_CLASS_LOAD, PTX_SPACE_GLOBAL},
    {"TXQ", ALL, PTX_CLASS_INT, 0},
    {"UBLKCP", "h", PTX_CLASS_INT, 0},
    {"UBLKPF", "h", PTX_CLASS_INT, 0},
    {"UBLKRED", "h", PTX_CLASS_INT, 0},
    {"UBMSK", UNI, PTX_CLASS_INT, 0},
    {"UBREV", UNI, PTX_CLASS_INT, 0},
    {"UCGABAR_ARV", "h", PTX_CLASS_INT, 0},
    {"UCGABAR_WAIT", "h", PTX_CLASS_INT, 0},
    {"UCLEA", UNI, PTX_CLASS_INT, 0},
    {"UF2FP", "ah", PTX_CLASS_FP32, 0},
    {"UFLO", UNI, PTX_CLASS_INT, 0},
    {"UIADD3", UNI, PTX_CLASS_INT, 0},
    {"UIMAD", UNI, PTX_CLASS_IMUL, 0},
    {"UISETP", UNI, PTX_CLASS_INT, 0},
    {"ULDC", UNI, PTX_CLASS_LOAD, PTX_SPACE_CONST},
    {"ULEA", UNI, PTX_CLASS_INT, 0},
    {"ULOP", UNI, PTX_CLASS_INT, 0},
    {"ULOP3", UNI, PTX_CLASS_INT, 0},
    {"ULOP32I", UNI, PTX_CLASS_INT, 0},
    {"UMOV", UNI, PTX_CLASS_INT, 0},
    {"UP2UR", UNI, PTX_CLASS_INT, 0},
    {"UPLOP3", UNI, PTX_CLASS_INT, 0},
    {"UPOPC", UNI, PTX_CLASS_INT, 0},
    {"UPRMT", UNI, PTX_CLASS_INT, 0},
    {"UPSETP", UNI, PTX_CLASS_INT, 0},
    {"UR2UP", UNI, PTX_CLASS_INT, 0},
    {"USEL", UNI, PTX_CLASS_INT, 0},
    {"USETMAXREG", "h", PTX_CLASS_INT, 0},
    {"USGXT", UNI, PTX_CLASS_INT, 0},
    {"USHF", UNI, PTX_CLASS_INT, 0},
    {"USHL", UNI, PTX_CLASS_INT, 0},
    {"USHR", UNI, PTX_CLASS_INT, 0},
    {"UTMACCTL", "h", PTX_CLASS_INT, 0},
    {"UTMACMDFLUSH", "h", PTX_CLASS_INT, 0},
    {"UTMALDG", "h", PTX_CLASS_INT, 0},
    {"UTMAPF", "h", PTX_CLASS_INT, 0},
    {"UTMAREDG", "h", PTX_CLASS_INT, 0},
    {"UTMASTG", "h", PTX_CLASS_INT, 0},
    {"VABSDIFF", ALL, PTX_CLASS_INT, 0},
    {"VABSDIFF4", ALL, PTX_CLASS_INT, 0},
    {"VADD", OLD, PTX_CLASS_INT, 0},
    {"VHMNMX", "h", PTX_CLASS_INT, 0},
    {"VIADD", "h", PTX_CLASS_INT, 0},
    {"VIADDMNMX", "h", PTX_CLASS_INT, 0},
    {"VIMNMX", "h", PTX_CLASS_INT, 0},
    {"VMAD", OLD, PTX_CLASS_IMUL, 0},
    {"VMNMX", OLD, PTX_CLASS_INT, 0},
    {"VOTE", ALL, PTX_CLASS_INT, 0},
    {"VOTEU", UNI, PTX_CLASS_INT, 0},
    {"VOTE_VTG", ALL, PTX_CLASS_INT, 0},
    {"VSET", OLD, PTX_CLASS_INT, 0},
    {"VSETP", OLD, PTX_CLASS_INT, 0},
    {"VSHL", OLD, PTX_CLASS_INT, 0},
    {"VSHR", OLD, PTX_CLASS_INT, 0},
    {"WARPGROUP", "h", PTX_CLASS_INT, 0},
    {"WARPGROUPSET", "h", PTX_CLASS_INT, 0},
    {"WARPSYNC", NEW, PTX_CLASS_INT, 0},
    {"XMAD", "mp", PTX_CLASS_IMUL, 0},
    {"YIELD", NEW, PTX_CLASS_INT, 0},
};

static const entry *find(const char *name, size_t n) {
  size_t low = 0, high = sizeof entries / sizeof *entries;
  while (low < high) {
    size_t mid = (low + high) / 2;
    int order = strncmp(entries[mid].name, name, n);
    if (order == 0)
      order = strlen(entries[mid].name) != n; /* longer, or the text has a zero byte */
    if (order == 0) return &entries[mid];
    if (order < 0)
      low = mid + 1;
    else
      high = mid;
  }
  return NULL;
}

/* Is `suffix` one of the dotted parts behind the name? */
static bool has(const char *opcode, size_t n, const char *suffix) {
  const size_t k = strlen(suffix);
  for (size_t i = 0; i + k < n; i++)
    if (opcode[i] == '.' && !memcmp(opcode + i + 1, suffix, k) &&
        (i + 1 + k == n || opcode[i + 1 + k] == '.'))
      return true;
  return false;
}

static unsigned access_bytes(const char *o, size_t n) {
  static const struct {
    const char *suffix;
    unsigned bytes;
  } sizes[] = {{"8", 1},   {"U8", 1}, {"S8", 1}, {"16", 2},  {"U16", 2},
               {"S16", 2}, {"32", 4}, {"64", 8}, {"128", 16}};
  for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
    if (has(o, n, sizes[i].suffix)) return sizes[i].bytes;
  return 4;
}

static bool starts(const char *o, size_t n, const char *name) {
  const size_t k = strlen(name);
  return n == k && !memcmp(o, name, k);
}

static void refine(wf_sass_class *c, const char *o, size_t n, size_t name) {
  const bool memory =
      c->cls == PTX_CLASS_LOAD || c->cls == PTX_CLASS_STORE || c->cls == PTX_CLASS_ATOMIC;
  c->jumps = starts(o, name, "BRA") || starts(o, name, "BRX") || starts(o, name, "JMP") ||
             starts(o, name, "JMX");
  c->async = starts(o, name, "LDGSTS");
  c->depbar = starts(o, name, "DEPBAR") || starts(o, name, "LDGDEPBAR");
  if (c->cls == PTX_CLASS_BARRIER && has(o, n, "ARV"))
    c->cls = PTX_CLASS_INT; /* arrives, does not wait */
  if (c->cls == PTX_CLASS_FP32 && (has(o, n, "F64") || has(o, n, "64"))) c->cls = PTX_CLASS_FP64;
  if (c->cls == PTX_CLASS_IMUL && has(o, n, "MOV"))
    c->cls = PTX_CLASS_INT; /* IMAD.MOV: a move on the other pipe */
  if (memory) c->lane_bytes = access_bytes(o, n);
  c->bypass_l1 =
      c->cls == PTX_CLASS_LOAD && (has(o, n, "CV") || has(o, n, "CG") || has(o, n, "STRONG"));
  c->wide_dst = c->cls == PTX_CLASS_FP64 || (c->cls == PTX_CLASS_IMUL && has(o, n, "WIDE"));
  c->wide_src =
      c->cls == PTX_CLASS_FP64 || (memory && has(o, n, "E") && c->space != PTX_SPACE_SHARED);
}

static bool is_bulk(const char *o, size_t name) {
  return starts(o, name, "UTMALDG") || starts(o, name, "UTMASTG") || starts(o, name, "UTMAPF") ||
         starts(o, name, "UTMAREDG") || starts(o, name, "UBLKCP") || starts(o, name, "UBLKPF") ||
         starts(o, name, "UBLKRED");
}

wf_sass_class wf_sass_classify(wf_sass_generation g, const char *opcode, size_t n) {
  static const char letters[WF_SASS_GENERATIONS] = {'k', 'm', 'p', 'v', 't', 'a', 'h'};
  const char *dot = memchr(opcode, '.', n);
  const size_t name = dot ? (size_t)(dot - opcode) : n;
  const entry *e = find(opcode, name);
  wf_sass_class c = {.cls = PTX_CLASS_INT, .bulk = is_bulk(opcode, name)};
  if (!e || !strchr(e->generations, letters[g])) return c;
  c.known = true;
  c.cls = e->cls;
  c.space = e->space;
  refine(&c, opcode, n, name);
  return c;
}
