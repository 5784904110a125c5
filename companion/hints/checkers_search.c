/* The search of checkers_search.py in C, some forty times as fast; checkers_compiled.py calls it. Squares, masks and
   White's direction are those of checkers_bits.py, values those of checkers_values.py, scores hundredths of a man.
   It takes no files, no memory but its own, and no input but numbers; one thread at a time may use a Search. */
#include "checkers_endings.h"

#define WON 10000
#define SURE (WON - 400) /* the longest ending in the tables, and LINE, are less than that */
#define DEEPEST 60
#define DECIDED 150    /* one and a half men more */
#define ENOUGH 19      /* if the search ends at this depth */
#define LINE 100       /* plies after which a line is no longer followed */
#define WINDOW 15      /* half the width of the window around the last depth's score */
#define PATTERNS 32
#define PLACEMENTS 6561
#define PIECES 24
#define BUCKET_BITS 18
#define WAYS 5
#define OLDER 8 /* plies that an entry counts less for each decision since */
#define DRAWN 4 /* part of its score that a drawn ending counts: a chance that the other side errs */
#define STEP_BITS 12
#define LOOK_EVERY 4096 /* positions between questions whether to go on */

typedef struct { uint32_t key; uint16_t best; int16_t low, high; int8_t depth; uint8_t age; } Known;
typedef struct { Known known[WAYS]; uint32_t unused; } Bucket; /* a line of the processor's cache */
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
  const Endings *endings, *solved; /* the second once they are */
  int over, depth;
  uint8_t age;
  Bucket table[1 << BUCKET_BITS] __attribute__((aligned(64)));
} Search;

/* A search with empty tables, or NULL if there is no memory for it. `men` is [patterns][PLACEMENTS][early, late], `kings`
   [32][early, late]; each mask lies in two neighbouring pairs of rows. */
Search *search_new(Rules rules, int patterns, const u64 *masks, const int16_t *men, const int16_t *kings, int tempo) {
  Search *s = patterns > PATTERNS ? NULL : aligned_alloc(64, sizeof *s);
  if (!s) return NULL;
  memset(s, 0, sizeof *s);
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
void search_use(Search *s, const Endings *endings) { s->endings = endings; }

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

/* As `moves`. */
int search_moves(const Search *s, const Position *at, int white, Position *into) { return moves(&s->rules, at, white, into); }

static int takes(const Position *at, const Position *after) { return after->mine != at->theirs; }
static u64 bucket_of(u64 key) { return key >> (64 - BUCKET_BITS); }
static uint16_t name_of(const Position *after) { return (after->theirs ^ after->kings << 1) * 0x9E3779B97F4A7C15ULL >> 48 | 1; }
static int slot_of(u64 step) { return step * 0x9E3779B97F4A7C15ULL >> (64 - STEP_BITS); }

static u64 key_of(const Position *at, int white) {
  u64 key = at->mine * 0x9E3779B97F4A7C15ULL ^ (at->theirs + 0x1234567) * 0xC2B2AE3D27D4EB4FULL ^
            (at->kings + 77 + white) * 0x165667B19E3779F9ULL;
  key = (key ^ key >> 29) * 0xBF58476D1CE4E5B9ULL;
  return key ^ key >> 32;
}

/* The move named `first`, captures that leave least, what refuted others at this ply, what refuted others often. */
static void order(const Search *s, const Position *at, int white, uint16_t first, int ply, Position *into, int count) {
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

/* The entry of a position, or the one that counts least in its place. */
static Known *entry_of(Search *s, u64 key) {
  Known *known = s->table[bucket_of(key)].known, *found = known;
  for (int n = 0, least = 1 << 16; n < WAYS; n++) {
    if (known[n].key == (uint32_t)key) return &known[n];
    int counts = known[n].depth - OLDER * (uint8_t)(s->age - known[n].age);
    if (counts < least) least = counts, found = &known[n];
  }
  return found;
}

static int is_known(Search *s, const Position *at, int white) {
  u64 key = key_of(at, white);
  return entry_of(s, key)->key == (uint32_t)key;
}

static int is_few(u64 pieces) { /* MOST_PIECES at most */
  for (int n = 0; n < MOST_PIECES; n++) pieces &= pieces - 1;
  return !pieces;
}

/* Scores of won and lost games count the plies from the root; those in the table from their own position, `ply` plies on. */
static int from_own(int score, int ply) { return score > SURE ? score + ply : score < -SURE ? score - ply : score; }
static int from_root(int score, int ply) { return from_own(score, -ply); }

/* Score of an ending in the tables, `ply` plies on. */
static int score_of_ending(const Search *s, const Position *at, int white, int ply) {
  int code = endings_code(s->solved, at, white), end = WON - ply - (code - 1);
  return !code ? search_score(s, at, white) / DRAWN : code % 2 ? -end : end;
}

/* How many plies less deep the nth move is searched first. */
static int less_for(int n, int depth) {
  return depth > 2 && n > 0 ? 1 + (n > 2 && depth > 4) + (n > 4 && depth > 7) + (n > 7 && depth > 10) : 0;
}

static int value(Search *s, const Position *at, int white, int depth, int alpha, int beta, int ply) {
  Position after[MOST_MOVES];
  if (s->over || is_over(s)) return 0;
  if (s->solved && is_few(at->mine | at->theirs)) return score_of_ending(s, at, white, ply);
  int taking = !!jumpers(at, white);
  if ((depth <= 0 && !taking) || ply >= LINE) return at->mine ? search_score(s, at, white) : ply - WON;
  u64 key = key_of(at, white);
  Known *known = entry_of(s, key);
  int found = known->key == (uint32_t)key;
  uint16_t first = found ? known->best : 0;
  if (found && known->depth >= depth) {
    int low = from_root(known->low, ply), high = from_root(known->high, ply);
    if (low >= beta || low == high) return low;
    if (high <= alpha) return high;
  }
  int count = depth > 0 ? search_moves(s, at, white, after) : captures(&s->rules, at, white, after);
  if (!count) return ply - WON;
  if (depth > 0) /* the table is larger than caches: while moves are put in order, their entries are fetched, a third faster */
    for (int n = 0; n < count; n++) __builtin_prefetch(&s->table[bucket_of(key_of(&after[n], !white))]);
  order(s, at, white, first, ply, after, count);
  int best = -WON - 1, floor = alpha, below = depth - (count > 1 || depth <= 0);
  if (depth <= 0 && !s->rules.must_capture) best = search_score(s, at, white); /* or it may not capture */
  for (int n = 0; n < count && best < beta; n++) {
    if (best > alpha) alpha = best;
    int score = alpha + 1, less = taking ? 0 : less_for(n, depth);
    if (n) { /* is it better at all? */
      score = -value(s, &after[n], !white, below - less, -alpha - 1, -alpha, ply + 1);
      if (less && score > alpha) score = -value(s, &after[n], !white, below, -alpha - 1, -alpha, ply + 1);
    }
    if (!n || (score > alpha && score < beta)) score = -value(s, &after[n], !white, below, -beta, -alpha, ply + 1);
    if (s->over) return 0;
    if (score > best) best = score, first = name_of(&after[n]);
    if (score >= beta && !takes(at, &after[n])) refuted(s, at->mine ^ after[n].theirs, white, depth, ply);
  }
  int low = from_own(best > floor ? best : -WON, ply), high = from_own(best < beta ? best : WON, ply);
  *entry_of(s, key) = (Known){key, first, low, high, depth, s->age};
  return best;
}

static void begin(Search *s, u64 most, GoOn go_on) {
  s->searched = s->over = 0, s->most = most, s->go_on = go_on, s->age++;
  s->solved = s->endings && endings_ready(s->endings) ? s->endings : NULL;
  memset(s->killers, 0, sizeof s->killers);
  for (int side = 0; side < 2; side++)
    for (int n = 0; n < 1 << STEP_BITS; n++) s->history[side][n] >>= 3;
}

/* Forget what is known of other games: it takes up room, and the same question would get different answers. */
static void keep_this_game(Search *s, const Position *children, int count, int white) {
  for (int n = 0; n < count; n++)
    if (is_known(s, &children[n], white)) return;
  memset(s->table, 0, sizeof s->table);
  memset(s->history, 0, sizeof s->history);
}

/* Place in `turns` of the best child, searched in a window of scores; a better one than the first so far is noted in
   `partial` as soon as it is known, with its score. */
static int within(Search *s, const Position *children, const int *turns, int count, int white, int low, int high,
                  int *score, int *partial) {
  int place = 0, best = -WON - 1;
  for (int at = 0; at < count; at++) {
    const Position *child = &children[turns[at]];
    int alpha = best > low ? best : low, found = alpha + 1;
    if (at) found = -value(s, child, white, s->depth, -alpha - 1, -alpha, 1); /* is it better at all? */
    if (found > alpha && found < high) found = -value(s, child, white, s->depth, -high, -alpha, 1);
    if (s->over) break;
    if (found <= best) continue;
    best = found, place = at;
    if (low < found) partial[0] = turns[at], partial[1] = found;
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
  keep_this_game(s, children, count, white);
  begin(s, most, go_on);
  *score = 0;
  for (s->depth = 0; s->depth < DEEPEST; s->depth++) {
    int low = s->depth > 2 ? *score - WINDOW : -WON, high = s->depth > 2 ? *score + WINDOW : WON, found, partial[2] = {-1};
    for (;;) {
      int place = within(s, children, turns, count, white, low, high, &found, partial), chosen = turns[place];
      if (s->over) break;
      if (found > low) memmove(turns + 1, turns, place * sizeof *turns), turns[0] = chosen; /* else none was compared */
      if ((low < found && found < high) || (low == -WON && high == WON)) break;
      low = -WON, high = WON;
    }
    if (s->over) {
      if (partial[0] >= 0) best = partial[0], *score = partial[1];
      break;
    }
    best = turns[0], *score = found;
    if (s->depth >= ENOUGH && abs(found) >= DECIDED && abs(found) <= SURE) break;
    if (WON - abs(found) <= s->depth) break; /* no shorter win and no longer loss is left */
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
