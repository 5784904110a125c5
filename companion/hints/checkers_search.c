/* The search of checkers_search.py in C, some forty times as fast; checkers_compiled.py calls it. Squares, masks and
   White's direction are those of checkers_bits.py, values those of checkers_values.py, scores hundredths of a man.
   It takes no files, no memory but its own, and no input but numbers; one thread at a time may use a Search. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define BOARD 0x7FBFDFEFFULL
#define WON 10000
#define SURE (WON - 200)
#define DEEPEST 60
#define LINE 100       /* plies after which a line is no longer followed */
#define WINDOW 30      /* half the width of the window around the last depth's score */
#define MOST_MOVES 256 /* of a position; more are left out */
#define PATTERNS 32
#define PLACEMENTS 6561
#define PIECES 24
#define TABLE_BITS 19
#define STEP_BITS 12
#define LOOK_EVERY 4096 /* positions between questions whether to go on */

typedef uint64_t u64;
typedef struct { u64 mine, theirs, kings; } Position; /* of the side to move, of the other side, both sides' kings */
typedef struct { int must_capture, must_finish, crowning_ends; } Rules;
typedef struct { u64 key, best; int16_t low, high; int8_t depth; } Known;
typedef int (*GoOn)(u64 searched);

typedef struct {
  Rules rules;
  int patterns, tempo, kings_worth[35][2];
  int row[PATTERNS];                 /* number of the first of the two pairs of rows that a pattern is in */
  uint16_t place[PATTERNS][2][256];  /* what men on a pair of rows add to the number of a placement */
  int16_t men_worth[PATTERNS][PLACEMENTS][2];
  u64 history[2][1 << STEP_BITS], killers[LINE + 1][2];
  u64 searched, most;
  GoOn go_on;
  int over, depth;
  Known table[1 << TABLE_BITS];
} Search;

static const u64 CROWNING[2] = {0xFULL << 31, 0xF};

static int turned(int bit) { return 34 - bit; } /* the bit of a square, with the board turned round */

/* A search with empty tables, or NULL if there is no memory for it. `men` is [patterns][PLACEMENTS][early, late], `kings`
   [32][early, late]; each mask lies in two neighbouring pairs of rows. */
Search *search_new(Rules rules, int patterns, const u64 *masks, const int16_t *men, const int16_t *kings, int tempo) {
  Search *s = patterns > PATTERNS ? NULL : calloc(1, sizeof *s);
  if (!s) return NULL;
  s->rules = rules, s->patterns = patterns, s->tempo = tempo;
  memcpy(s->men_worth, men, patterns * sizeof *s->men_worth);
  for (int square = 0; square < 32; square++)
    for (int late = 0; late < 2; late++) s->kings_worth[square + square / 8][late] = kings[2 * square + late];
  for (int n = 0; n < patterns; n++) {
    int power = 1;
    s->row[n] = __builtin_ctzll(masks[n]) / 9;
    for (int half = 0; half < 2; half++)
      for (int bit = 0; bit < 8; bit++) {
        if (!(masks[n] >> (9 * (s->row[n] + half) + bit) & 1)) continue;
        for (int set = 0; set < 256; set++) s->place[n][half][set] += (set >> bit & 1) * power;
        power *= 3;
      }
  }
  return s;
}

void search_free(Search *s) { free(s); }

/* Score of a quiet position for the side to move. */
int search_score(const Search *s, const Position *at, int white) {
  u64 ours = white ? at->mine : at->theirs, others = white ? at->theirs : at->mine, crowned;
  u64 men = ours & ~at->kings, other_men = others & ~at->kings;
  int early = 0, late = 0, pieces = __builtin_popcountll(ours | others);
  uint8_t rows[5], other_rows[5];
  for (int n = 0; n < 5; n++) rows[n] = men >> 9 * n, other_rows[n] = other_men >> 9 * n;
  for (int n = 0; n < s->patterns; n++) {
    const uint8_t *own = rows + s->row[n], *other = other_rows + s->row[n];
    int placed = s->place[n][0][own[0]] + s->place[n][1][own[1]] + 2 * (s->place[n][0][other[0]] + s->place[n][1][other[1]]);
    early += s->men_worth[n][placed][0], late += s->men_worth[n][placed][1];
  }
  for (crowned = ours & at->kings; crowned; crowned &= crowned - 1) {
    const int *king = s->kings_worth[__builtin_ctzll(crowned)];
    early += king[0], late += king[1];
  }
  for (crowned = others & at->kings; crowned; crowned &= crowned - 1) {
    const int *king = s->kings_worth[turned(__builtin_ctzll(crowned))];
    early -= king[0], late -= king[1];
  }
  int sum = early * pieces + late * (PIECES - pieces), score = sum / PIECES - (sum % PIECES < 0); /* rounded down */
  return s->tempo + (white ? score : -score);
}

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
int search_moves(const Search *s, const Position *at, int white, Position *into) {
  int count = captures(&s->rules, at, white, into);
  return count && s->rules.must_capture ? count : steps(at, white, into, count);
}

static int takes(const Position *at, const Position *after) { return after->mine != at->theirs; }
static u64 name_of(const Position *after) { return after->theirs ^ after->kings << 1; }
static int slot_of(u64 step) { return step * 0x9E3779B97F4A7C15ULL >> (64 - STEP_BITS); }

static u64 key_of(const Position *at, int white) {
  u64 key = at->mine * 0x9E3779B97F4A7C15ULL ^ (at->theirs + 0x1234567) * 0xC2B2AE3D27D4EB4FULL ^
            (at->kings + 77 + white) * 0x165667B19E3779F9ULL;
  key = (key ^ key >> 29) * 0xBF58476D1CE4E5B9ULL;
  return key ^ key >> 32;
}

/* The move named `first`, captures that leave least, what refuted others at this ply, what refuted others often. */
static void order(const Search *s, const Position *at, int white, u64 first, int ply, Position *into, int count) {
  u64 likely[MOST_MOVES];
  for (int n = 0; n < count; n++) {
    Position after = into[n];
    u64 step = at->mine ^ after.theirs, rank;
    if (name_of(&after) == first) rank = ~0ULL;
    else if (takes(at, &after)) rank = (1ULL << 63) - __builtin_popcountll(after.mine);
    else if (step == s->killers[ply][0]) rank = 1ULL << 62;
    else if (step == s->killers[ply][1]) rank = 1ULL << 61;
    else rank = s->history[white][slot_of(step)];
    int place = n;
    for (; place && likely[place - 1] < rank; place--) likely[place] = likely[place - 1], into[place] = into[place - 1];
    likely[place] = rank, into[place] = after;
  }
}

static void refuted(Search *s, u64 step, int white, int depth, int ply) {
  s->history[white][slot_of(step)] += depth * depth;
  if (s->killers[ply][0] != step) s->killers[ply][1] = s->killers[ply][0], s->killers[ply][0] = step;
}

static int is_over(Search *s) {
  s->searched++;
  if (s->searched > s->most || (s->searched % LOOK_EVERY == 0 && s->go_on && !s->go_on(s->searched))) s->over = 1;
  return s->over;
}

static int value(Search *s, const Position *at, int white, int depth, int alpha, int beta, int ply) {
  Position after[MOST_MOVES];
  if (s->over || is_over(s)) return 0;
  int taking = !!jumpers(at, white);
  if ((depth <= 0 && !taking) || ply >= LINE) return at->mine ? search_score(s, at, white) : ply - WON;
  u64 key = key_of(at, white);
  Known *known = &s->table[key >> (64 - TABLE_BITS)];
  u64 first = known->key == key ? known->best : 0;
  if (known->key == key && known->depth >= depth) {
    if (known->low >= beta || known->low == known->high) return known->low;
    if (known->high <= alpha) return known->high;
  }
  int count = depth > 0 ? search_moves(s, at, white, after) : captures(&s->rules, at, white, after);
  if (!count) return ply - WON;
  order(s, at, white, first, ply, after, count);
  int best = -WON - 1, floor = alpha, below = depth - (count > 1 || depth <= 0);
  if (depth <= 0 && !s->rules.must_capture) best = search_score(s, at, white); /* or it may not capture */
  for (int n = 0; n < count && best < beta; n++) {
    if (best > alpha) alpha = best;
    int score = alpha + 1, late = n > 2 && depth > 2 && !taking;
    if (n) { /* is it better at all? */
      score = -value(s, &after[n], !white, below - late, -alpha - 1, -alpha, ply + 1);
      if (late && score > alpha) score = -value(s, &after[n], !white, below, -alpha - 1, -alpha, ply + 1);
    }
    if (!n || (score > alpha && score < beta)) score = -value(s, &after[n], !white, below, -beta, -alpha, ply + 1);
    if (s->over) return 0;
    if (score > best) best = score, first = name_of(&after[n]);
    if (score >= beta && !takes(at, &after[n])) refuted(s, at->mine ^ after[n].theirs, white, depth, ply);
  }
  *known = (Known){key, first, best > floor ? best : -WON, best < beta ? best : WON, depth};
  return best;
}

static void begin(Search *s, u64 most, GoOn go_on) {
  s->searched = s->over = 0, s->most = most, s->go_on = go_on;
  memset(s->killers, 0, sizeof s->killers);
  for (int side = 0; side < 2; side++)
    for (int n = 0; n < 1 << STEP_BITS; n++) s->history[side][n] >>= 3;
}

/* Place in `turns` of the best child, searched in a window of scores; a better one than the first so far is noted in
   `partial` as soon as it is known, with its score. */
static int within(Search *s, const Position *children, const int *turns, int count, int white, int low, int high,
                  int *score, int *partial) {
  int place = 0, best = -WON - 1;
  partial[0] = -1;
  for (int at = 0; at < count; at++) {
    const Position *child = &children[turns[at]];
    int alpha = best > low ? best : low, found = alpha + 1;
    if (at) found = -value(s, child, white, s->depth, -alpha - 1, -alpha, 1); /* is it better at all? */
    if (found > alpha && found < high) found = -value(s, child, white, s->depth, -high, -alpha, 1);
    if (s->over) break;
    if (found <= best) continue;
    best = found, place = at;
    if (low < found && found < high) partial[0] = turns[at], partial[1] = found;
    if (found >= high) break;
  }
  *score = best;
  return place;
}

/* Index of the best of the positions after a move, and its score for the side that moved there; `white`: White is to
   move in them. Searches `most` positions, and while `go_on`, if any, says so. -1 if there is no memory. */
int search_best(Search *s, const Position *children, int count, int white, u64 most, GoOn go_on, int *score) {
  int *turns = malloc(count * sizeof *turns), best = 0;
  if (!turns) return -1;
  for (int n = 0; n < count; n++) turns[n] = n;
  begin(s, most, go_on);
  *score = 0;
  for (s->depth = 0; s->depth < DEEPEST; s->depth++) {
    int low = s->depth > 2 ? *score - WINDOW : -WON, high = s->depth > 2 ? *score + WINDOW : WON, found, partial[2];
    for (;;) {
      int place = within(s, children, turns, count, white, low, high, &found, partial), chosen = turns[place];
      if (s->over) break;
      memmove(turns + 1, turns, place * sizeof *turns);
      turns[0] = chosen;
      if ((low < found && found < high) || (low == -WON && high == WON)) break;
      low = -WON, high = WON;
    }
    if (s->over) {
      if (partial[0] >= 0) best = partial[0], *score = partial[1];
      break;
    }
    best = turns[0], *score = found;
    if (abs(found) > SURE && s->depth > 4) break;
  }
  free(turns);
  return best;
}

/* Scores of the children other than `best`, whose score is `bound`, as deep as it was searched; none is better. */
void search_others(Search *s, const Position *children, int count, int white, int best, int bound, u64 most, GoOn go_on,
                   int *scores) {
  int deepest = s->depth, *found = malloc(count * sizeof *found);
  for (int n = 0; n < count; n++) scores[n] = n == best ? bound : -WON;
  if (!found) return;
  begin(s, most, go_on);
  for (s->depth = 0; s->depth <= deepest; s->depth++) {
    for (int n = 0; n < count; n++) found[n] = n == best ? bound : -value(s, &children[n], white, s->depth, -bound, WON, 1);
    if (s->over) break;
    for (int n = 0; n < count; n++) scores[n] = found[n] < bound ? found[n] : bound;
  }
  free(found);
}
