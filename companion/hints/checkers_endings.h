/* Endings of checkers with up to four pieces: who wins, and in how many plies, by retrograde analysis under a sheet's rules.
   A code is 0 for a draw, else 1 more than the plies to the end with best play; who is to move wins if it is even. */
#include "checkers_moves.h"
#include <stdlib.h>
#include <string.h>

#define MOST_PIECES 4
#define SETS 4960 /* of three squares out of 32 */
#define LONGEST 250
#define NEVER_LOST 255 /* a move to a draw outside the slice, in place of a number of moves */

enum { OWN_MEN, OTHER_MEN, KINGS }; /* where they may stand: all squares but the own crowning row, or all */
static const int FIRST[3] = {4, 0, 0}, SQUARES_OF[3] = {28, 28, 32};

/* Positions with the same numbers of men and kings of the side to move, and of men and kings of the other side, form a slice. */
typedef struct {
  Rules rules;
  int ready, stopped;
  int sets[3][MOST_PIECES];                  /* number of sets of so many squares */
  u64 set[3][MOST_PIECES][SETS];             /* their masks, with White to move */
  u64 begins[MOST_PIECES][MOST_PIECES][MOST_PIECES][MOST_PIECES], size;
  uint8_t *codes;
} Endings;

static int choose(int n, int k) { return k == 0 ? 1 : k == 1 ? n : k == 2 ? n * (n - 1) / 2 : n * (n - 1) * (n - 2) / 6; }

/* Number of a set of pieces among the sets of as many squares of a kind. */
static int number_of(u64 pieces, int white, int kind) {
  int number = 0;
  for (int k = 1; pieces; k++) {
    int bit = white ? __builtin_ctzll(pieces) : 63 - __builtin_clzll(pieces), seen = white ? bit : turned(bit);
    number += choose(seen - seen / 9 - FIRST[kind], k);
    pieces ^= 1ULL << bit;
  }
  return number;
}

/* Where the code of a position is that has men or kings of both sides, MOST_PIECES at most. */
static u64 slot_in(const Endings *e, const Position *at, int white) {
  u64 men = at->mine & ~at->kings, kings = at->mine & at->kings, other = at->theirs & ~at->kings, crowned = at->theirs & at->kings;
  int other_men = __builtin_popcountll(other), other_kings = __builtin_popcountll(crowned), own_kings = __builtin_popcountll(kings);
  u64 place = number_of(men, white, OWN_MEN);
  place = place * e->sets[KINGS][own_kings] + number_of(kings, white, KINGS);
  place = place * e->sets[OTHER_MEN][other_men] + number_of(other, white, OTHER_MEN);
  place = place * e->sets[KINGS][other_kings] + number_of(crowned, white, KINGS);
  return e->begins[__builtin_popcountll(men)][own_kings][other_men][other_kings] + place;
}

static u64 slice_size(const Endings *e, const int *has) {
  return (u64)e->sets[OWN_MEN][has[0]] * e->sets[KINGS][has[1]] * e->sets[OTHER_MEN][has[2]] * e->sets[KINGS][has[3]];
}

/* The position of a place in a slice, with White to move; 0 if two pieces would stand on one square. */
static int position_in(const Endings *e, const int *has, u64 place, Position *at) {
  u64 crowned = e->set[KINGS][has[3]][place % e->sets[KINGS][has[3]]], other, kings, men;
  place /= e->sets[KINGS][has[3]];
  other = e->set[OTHER_MEN][has[2]][place % e->sets[OTHER_MEN][has[2]]], place /= e->sets[OTHER_MEN][has[2]];
  kings = e->set[KINGS][has[1]][place % e->sets[KINGS][has[1]]], men = e->set[OWN_MEN][has[0]][place / e->sets[KINGS][has[1]]];
  *at = (Position){men | kings, other | crowned, kings | crowned};
  return __builtin_popcountll(men | kings | other | crowned) == has[0] + has[1] + has[2] + has[3];
}

/* Tables without codes, or NULL if there is no memory for them. */
Endings *endings_new(Rules rules) {
  Endings *e = calloc(1, sizeof *e);
  if (!e) return NULL;
  e->rules = rules;
  for (int kind = 0; kind < 3; kind++)
    for (int k = 0; k < MOST_PIECES; k++) {
      e->sets[kind][k] = choose(SQUARES_OF[kind], k);
      for (u64 low = (1ULL << k) - 1, set = low, n = 0; n < (u64)e->sets[kind][k]; n++) {
        u64 shifted = set << FIRST[kind], last = set & -set, next = set + last;
        e->set[kind][k][n] = (shifted & 0xFF) | (shifted & 0xFF00) << 1 | (shifted & 0xFF0000) << 2 | (shifted & 0xFF000000) << 3;
        if (k) set = next | (((set ^ next) >> 2) / last); /* the next larger number with as many bits */
      }
    }
  for (int n = 0; n < 256; n++) {
    int has[4] = {n >> 6, n >> 4 & 3, n >> 2 & 3, n & 3};
    if (has[0] + has[1] + has[2] + has[3] > MOST_PIECES || !(has[0] + has[1]) || !(has[2] + has[3])) continue;
    if (has[0] + has[1] >= MOST_PIECES || has[2] + has[3] >= MOST_PIECES) continue;
    e->begins[has[0]][has[1]][has[2]][has[3]] = e->size, e->size += slice_size(e, has);
  }
  e->codes = calloc(e->size, 1);
  if (!e->codes) free(e), e = NULL;
  return e;
}

void endings_free(Endings *e) { free(e->codes), free(e); }
void endings_stop(Endings *e) { __atomic_store_n(&e->stopped, 1, __ATOMIC_RELAXED); }
int endings_ready(const Endings *e) { return __atomic_load_n(&e->ready, __ATOMIC_ACQUIRE); }

/* The code of a position in which a side may have no pieces. */
int endings_code(const Endings *e, const Position *at, int white) {
  if (!at->mine) return 1;
  return at->theirs ? e->codes[slot_in(e, at, white)] : 2;
}

/* First a position's code from moves that leave its slices, which are complete, and in `open` the number of the others; in
   `longest` the code of the last loss outside. */
static uint8_t from_outside(const Endings *e, const Position *at, uint8_t *open, uint8_t *longest) {
  Position after[MOST_MOVES];
  int count = moves(&e->rules, at, 1, after), win = 0, draw = 0, inside = 0, lost = 0;
  for (int n = 0; n < count; n++) {
    int same = after[n].mine == at->theirs && __builtin_popcountll(after[n].kings) == __builtin_popcountll(at->kings);
    int code = same ? 0 : endings_code(e, &after[n], 0);
    if (same) inside++;
    else if (!code) draw = 1;
    else if (code % 2 && (!win || code + 1 < win)) win = code + 1;
    else if (code % 2 == 0 && code + 1 > lost) lost = code + 1;
  }
  *open = draw ? NEVER_LOST : inside, *longest = lost;
  if (win) return win;
  return inside || draw ? 0 : count ? lost : 1;
}

typedef struct { int has[4]; u64 begins, size; uint8_t *open, *longest; } Slice;

/* A code that has become known goes to the positions before, from which the other side came by a step. Returns the largest given. */
static int to_the_moves_before(const Endings *e, const Position *at, int code, const Slice *before, int largest) {
  u64 empty = BOARD & ~(at->mine | at->theirs);
  for (u64 movers = at->theirs; movers; movers &= movers - 1) {
    u64 to = movers & -movers;
    for (int way = 0; way < 4; way++) {
      u64 from = way < 2 ? to >> (4 + way) : to << (2 + way);
      if (!(from & empty) || (way > 1 && !(to & at->kings))) continue;
      Position was = {at->theirs ^ to ^ from, at->mine, to & at->kings ? at->kings ^ to ^ from : at->kings};
      if (e->rules.must_capture && jumpers(&was, 0)) continue;
      u64 slot = slot_in(e, &was, 0), place = slot - before->begins;
      uint8_t *known = &e->codes[slot], *open = &before->open[place];
      if (code % 2 && (!*known || (*known % 2 == 0 && *known > code + 1))) *known = code + 1;
      else if (code % 2 || *known || *open == NEVER_LOST || --*open) continue;
      else *known = code + 1 > before->longest[place] ? code + 1 : before->longest[place];
      if (*known > largest) largest = *known;
    }
  }
  return largest;
}

/* Codes of a slice and of the one with the sides exchanged, which may be the same; 0 if stopped or without memory. */
static int solve(const Endings *e, Slice *pair, int slices) {
  int largest = 1;
  Position at;
  for (int n = 0; n < slices; n++)
    for (u64 place = 0; place < pair[n].size; place++) {
      if (place % 4096 == 0 && __atomic_load_n(&e->stopped, __ATOMIC_RELAXED)) return 0;
      if (!position_in(e, pair[n].has, place, &at)) continue;
      int code = from_outside(e, &at, &pair[n].open[place], &pair[n].longest[place]);
      e->codes[pair[n].begins + place] = code;
      if (code > largest) largest = code;
    }
  for (int code = 1; code <= largest && code < LONGEST; code++)
    for (int n = 0; n < slices; n++) {
      if (__atomic_load_n(&e->stopped, __ATOMIC_RELAXED)) return 0;
      const uint8_t *codes = e->codes + pair[n].begins;
      for (u64 place = 0; place < pair[n].size; place++)
        if (codes[place] == code && position_in(e, pair[n].has, place, &at))
          largest = to_the_moves_before(e, &at, code, &pair[slices - 1 - n], largest);
    }
  return 1;
}

static int solve_pair(const Endings *e, const int *has) {
  int turned_has[4] = {has[2], has[3], has[0], has[1]}, slices = memcmp(has, turned_has, sizeof turned_has) ? 2 : 1, done = 1;
  Slice pair[2] = {0};
  for (int n = 0; n < slices; n++) {
    memcpy(pair[n].has, n ? turned_has : has, sizeof turned_has);
    pair[n].begins = e->begins[pair[n].has[0]][pair[n].has[1]][pair[n].has[2]][pair[n].has[3]];
    pair[n].size = slice_size(e, pair[n].has);
    pair[n].open = calloc(pair[n].size, 2), pair[n].longest = pair[n].open + pair[n].size;
    done = done && pair[n].open;
  }
  done = done && solve(e, pair, slices);
  free(pair[0].open), free(pair[1].open);
  return done;
}

/* Fills the tables, some seconds long, in any thread; from then on they are `ready`, unless stopped. */
void endings_solve(Endings *e) {
  for (int pieces = 2; pieces <= MOST_PIECES; pieces++)
    for (int men = 0; men <= pieces; men++) /* captures and crownings lead to slices that are there */
      for (int n = 0; n < 256; n++) {
        int has[4] = {n >> 6, n >> 4 & 3, n >> 2 & 3, n & 3}, own = has[0] + has[1], other = has[2] + has[3];
        if (own + other != pieces || has[0] + has[2] != men || !own || !other) continue;
        if ((own > other || (own == other && has[0] >= has[2])) && !solve_pair(e, has)) return;
      }
  __atomic_store_n(&e->ready, 1, __ATOMIC_RELEASE);
}
