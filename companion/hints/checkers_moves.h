/* Positions and moves of checkers for the search in C. Squares, masks and White's direction are those of checkers_bits.py. */
#include <stdint.h>

#define BOARD 0x7FBFDFEFFULL
#define MOST_MOVES 256 /* of a position; more are left out */

typedef uint64_t u64;
typedef struct { u64 mine, theirs, kings; } Position; /* of the side to move, of the other side, both sides' kings */
typedef struct { int must_capture, must_finish, crowning_ends; } Rules;

static const u64 CROWNING[2] = {0xFULL << 31, 0xF};

static int turned(int bit) { return 34 - bit; } /* the bit of a square, with the board turned round */

static u64 jumpers(const Position *at, int white) {
  u64 theirs = at->theirs, empty = BOARD & ~(at->mine | theirs), back = at->mine & at->kings;
  u64 lower = white ? at->mine : back, higher = white ? back : at->mine;
  return (lower & ((empty << 4 & theirs) << 4 | (empty << 5 & theirs) << 5)) |
         (higher & ((empty >> 4 & theirs) >> 4 | (empty >> 5 & theirs) >> 5));
}

/* Adds the captures of the piece from `start` that has come to `square` and jumped over `taken`. */
static int jumps(const Rules *rules, const Position *at, u64 start, u64 square, u64 taken, int king, int white,
                 Position *into, int count) {
  u64 full = (at->mine | at->theirs) & ~start;
  int ends = 1, began_king = !!(start & at->kings);
  for (int way = 0; way < 4 && (king == began_king || !rules->crowning_ends); way++) {
    int down = way > 1, step = 4 + way % 2;
    if (!king && down == white) continue;
    u64 jumped = down ? square << step : square >> step, target = down ? jumped << step : jumped >> step;
    if (!(jumped & at->theirs & ~taken) || !(target & BOARD & ~full)) continue;
    count = jumps(rules, at, start, target, taken | jumped, king || target & CROWNING[white], white, into, count);
    ends = 0;
  }
  if (taken && (ends || !rules->must_finish) && count < MOST_MOVES) {
    u64 kings = at->kings & ~(start | taken);
    into[count++] = (Position){at->theirs & ~taken, (at->mine & ~start) | square, king ? kings | square : kings};
  }
  return count;
}

static int captures(const Rules *rules, const Position *at, int white, Position *into) {
  int count = 0;
  for (u64 able = jumpers(at, white); able; able &= able - 1) {
    u64 start = able & -able;
    count = jumps(rules, at, start, start, 0, !!(start & at->kings), white, into, count);
  }
  return count;
}

static int steps(const Position *at, int white, Position *into, int count) {
  u64 empty = BOARD & ~(at->mine | at->theirs), back = at->mine & at->kings;
  for (int way = 0; way < 4; way++) {
    int down = way > 1, step = 4 + way % 2;
    u64 movers = (down == white ? back : at->mine) & (down ? empty >> step : empty << step);
    for (; movers && count < MOST_MOVES; movers &= movers - 1) {
      u64 start = movers & -movers, target = down ? start << step : start >> step, kings = at->kings;
      kings = kings & start ? kings ^ start ^ target : kings | (target & CROWNING[white]);
      into[count++] = (Position){at->theirs, at->mine ^ start ^ target, kings};
    }
  }
  return count;
}

/* Positions after each move of the side to move, into room for MOST_MOVES, captures first; returns their number. */
static int moves(const Rules *rules, const Position *at, int white, Position *into) {
  int count = captures(rules, at, white, into);
  return count && rules->must_capture ? count : steps(at, white, into, count);
}
