/* Self-play and fitting of checkers under the standard rules, for training only: the search of companion.hints.checkers_search
   in C, some forty times as fast. Squares, masks and White's direction as in companion.hints.checkers_bits. Needs BMI2. */
#include <immintrin.h>
#include <math.h>
#include <stdint.h>
#include <string.h>

#define BOARD 0x7FBFDFEFFULL
#define WON 10000
#define LINE 100
#define PLACEMENTS 6561
#define TABLE_BITS 20

typedef uint64_t u64;
typedef struct { u64 mine, theirs, kings; } Position;
typedef struct { u64 white, black, kings; int16_t to_move, score, result, quiet; } Record; /* scores and results are White's */
typedef struct { u64 key, best; int16_t low, high; int8_t depth; } Known;

static const u64 CROWNING[2] = {0xFULL << 31, 0xF};
static int patterns, tempo, digits[256], kings_worth[35][2];
static u64 masks[32];
static const int16_t *men_worth;
static Known table[1 << TABLE_BITS];
static u64 history[2][4096], killers[LINE + 2][2], searched, most, chance;
static int over;

void load(int count, const u64 *places, const int16_t *men, const int16_t *kings, int to_move) {
  patterns = count, men_worth = men, tempo = to_move;
  memcpy(masks, places, count * sizeof *places);
  for (int square = 0; square < 32; square++)
    for (int late = 0; late < 2; late++) kings_worth[square + square / 8][late] = kings[2 * square + late];
  for (int set = 0; set < 256; set++) {
    digits[set] = 0;
    for (int bit = 0, power = 1; bit < 8; bit++, power *= 3) digits[set] += (set >> bit & 1) * power;
  }
}

static int worth(const Position *at, int white) {
  u64 ours = white ? at->mine : at->theirs, others = white ? at->theirs : at->mine, crowned;
  int early = 0, late = 0, pieces = __builtin_popcountll(ours | others);
  for (int n = 0; n < patterns; n++) {
    int placed = digits[_pext_u64(ours & ~at->kings, masks[n])] + 2 * digits[_pext_u64(others & ~at->kings, masks[n])];
    early += men_worth[(n * PLACEMENTS + placed) * 2], late += men_worth[(n * PLACEMENTS + placed) * 2 + 1];
  }
  for (crowned = ours & at->kings; crowned; crowned &= crowned - 1) {
    const int *king = kings_worth[__builtin_ctzll(crowned)];
    early += king[0], late += king[1];
  }
  for (crowned = others & at->kings; crowned; crowned &= crowned - 1) {
    const int *king = kings_worth[34 - __builtin_ctzll(crowned)];
    early -= king[0], late -= king[1];
  }
  int score = (early * pieces + late * (24 - pieces)) / 24;
  return tempo + (white ? score : -score);
}

static u64 jumpers(u64 mine, u64 theirs, u64 kings, int white) {
  u64 empty = BOARD & ~(mine | theirs), lower = white ? mine : mine & kings, higher = white ? mine & kings : mine;
  return (lower & ((empty << 4 & theirs) << 4 | (empty << 5 & theirs) << 5)) |
         (higher & ((empty >> 4 & theirs) >> 4 | (empty >> 5 & theirs) >> 5));
}

static int jumps(const Position *at, u64 start, u64 square, u64 taken, int king, int white, Position *into, int count) {
  u64 full = (at->mine | at->theirs) & ~start;
  int ends = 1;
  for (int way = 0; way < 4; way++) {
    int down = way > 1, step = 4 + way % 2;
    if (!king && down == white) continue;
    u64 jumped = down ? square << step : square >> step, target = down ? jumped << step : jumped >> step;
    if (!(jumped & at->theirs & ~taken) || !(target & BOARD & ~full)) continue;
    ends = 0;
    if (!king && target & CROWNING[white])
      into[count++] = (Position){at->theirs & ~(taken | jumped), (at->mine & ~start) | target, (at->kings & ~(taken | jumped)) | target};
    else count = jumps(at, start, target, taken | jumped, king, white, into, count);
  }
  if (ends && taken)
    into[count++] = (Position){at->theirs & ~taken, (at->mine & ~start) | square, (at->kings & ~(start | taken)) | (king ? square : 0)};
  return count;
}

int moves(const Position *at, int white, Position *into) {
  int count = 0;
  for (u64 able = jumpers(at->mine, at->theirs, at->kings, white); able; able &= able - 1) {
    u64 start = able & -able;
    count = jumps(at, start, start, 0, !!(start & at->kings), white, into, count);
  }
  if (count) return count;
  u64 empty = BOARD & ~(at->mine | at->theirs), back = at->mine & at->kings;
  for (int way = 0; way < 4; way++) {
    int down = way > 1, step = 4 + way % 2;
    u64 movers = (down == white ? back : at->mine) & (down ? empty >> step : empty << step);
    for (; movers; movers &= movers - 1) {
      u64 start = movers & -movers, target = down ? start << step : start >> step, kings = at->kings;
      kings = kings & start ? kings ^ start ^ target : kings | (target & CROWNING[white]);
      into[count++] = (Position){at->theirs, at->mine ^ start ^ target, kings};
    }
  }
  return count;
}

static int captures(const Position *at, const Position *after) { return after->mine != at->theirs; }
static u64 name_of(const Position *after) { return after->theirs ^ after->kings << 1; }
static int slot_of(u64 step) { return step * 0x9E3779B97F4A7C15ULL >> 52; }

static u64 key_of(const Position *at, int white) {
  u64 key = at->mine * 0x9E3779B97F4A7C15ULL ^ (at->theirs + 0x1234567) * 0xC2B2AE3D27D4EB4FULL ^ (at->kings + 77 + white) * 0x165667B19E3779F9ULL;
  key = (key ^ key >> 29) * 0xBF58476D1CE4E5B9ULL;
  return key ^ key >> 32;
}

static void order(const Position *at, int white, u64 first, int ply, Position *into, int count) {
  u64 likely[64];
  for (int n = 0; n < count; n++) {
    Position after = into[n];
    u64 step = at->mine ^ after.theirs, rank;
    if (name_of(&after) == first) rank = ~0ULL;
    else if (captures(at, &after)) rank = 64 - __builtin_popcountll(after.mine);
    else rank = step == killers[ply][0] ? 1ULL << 62 : step == killers[ply][1] ? 1ULL << 61 : history[white][slot_of(step)];
    int place = n;
    for (; place && likely[place - 1] < rank; place--) likely[place] = likely[place - 1], into[place] = into[place - 1];
    likely[place] = rank, into[place] = after;
  }
}

static int value(const Position *at, int white, int depth, int alpha, int beta, int ply) {
  Position after[64];
  if (++searched > most) over = 1;
  if (over) return 0;
  int taking = !!jumpers(at->mine, at->theirs, at->kings, white);
  if ((depth <= 0 && !taking) || ply >= LINE) return at->mine ? worth(at, white) : ply - WON;
  u64 key = key_of(at, white);
  Known *known = &table[key >> (64 - TABLE_BITS)];
  u64 first = known->key == key ? known->best : 0;
  if (known->key == key && known->depth >= depth) {
    if (known->low >= beta || known->low == known->high) return known->low;
    if (known->high <= alpha) return known->high;
  }
  int count = moves(at, white, after), best = -WON - 1, floor = alpha, below = depth - (count > 1 || depth <= 0);
  if (!count) return ply - WON;
  order(at, white, first, ply, after, count);
  for (int n = 0; n < count && best < beta; n++) {
    if (best > alpha) alpha = best;
    int score = alpha + 1, late = n > 2 && depth > 2 && !taking;
    if (n) {
      score = -value(&after[n], !white, below - late, -alpha - 1, -alpha, ply + 1);
      if (late && score > alpha) score = -value(&after[n], !white, below, -alpha - 1, -alpha, ply + 1);
    }
    if (!n || (score > alpha && score < beta)) score = -value(&after[n], !white, below, -beta, -alpha, ply + 1);
    if (over) return 0;
    if (score > best) best = score, first = name_of(&after[n]);
    if (score >= beta && !taking) {
      u64 step = at->mine ^ after[n].theirs;
      history[white][slot_of(step)] += depth * depth;
      if (killers[ply][0] != step) killers[ply][1] = killers[ply][0], killers[ply][0] = step;
    }
  }
  *known = (Known){key, first, best > floor ? best : -WON, best < beta ? best : WON, depth};
  return best;
}

static void begin(u64 positions) {
  searched = 0, most = positions, over = 0;
  memset(killers, 0, sizeof killers);
  for (int side = 0; side < 2; side++) for (int n = 0; n < 4096; n++) history[side][n] >>= 3;
}

static int best_of(Position *after, int count, int white, u64 positions, int *score) {
  int best = 0;
  *score = 0;
  begin(positions);
  for (int depth = 0; depth < 40; depth++) {
    int found = -WON - 1, at = 0;
    for (int n = 0; n < count; n++) {
      int turn = n ? n - (n <= best) : best, alpha = found, now = alpha + 1; /* the best of before comes first */
      if (n) now = -value(&after[turn], !white, depth, -alpha - 1, -alpha, 1);
      if (now > alpha) now = -value(&after[turn], !white, depth, -WON, -alpha, 1);
      if (over) break;
      if (now > found) found = now, at = turn;
    }
    if (over) break;
    best = at, *score = found;
    if (found > WON - 100 || found < 100 - WON) break;
  }
  return best;
}

/* Scores of all moves for the side to move, as deep as `positions` allow; returns their number. */
int label(const Position *at, int white, u64 positions, Position *after, int *scores) {
  int count = moves(at, white, after), found[64];
  memset(table, 0, sizeof table);
  begin(positions);
  for (int depth = 0; depth < 40; depth++) {
    for (int n = 0; n < count; n++) found[n] = -value(&after[n], !white, depth, -WON, WON, 1);
    if (over) break;
    memcpy(scores, found, count * sizeof *found);
  }
  return count;
}

static u64 drawn(u64 below) {
  chance ^= chance << 13, chance ^= chance >> 7, chance ^= chance << 17;
  return chance % below;
}

/* Games from 2 to 11 moves by chance on, with one move in fifty by chance after that; returns the number of records. */
int play(u64 seed, int games, u64 positions, Record *records, int room) {
  int count = 0;
  chance = (seed + 1) * 0x9E3779B97F4A7C15ULL;
  for (int game = 0; game < games && count < room - 300; game++) {
    Position at = {0xFFULL | 0xFULL << 9, 0xF00000ULL << 2 | 0xFF000000ULL << 3, 0};
    int white = 0, start = count, result = 0, quiet_moves = 0, opening = 2 + drawn(10);
    for (int ply = 0; ply < 300 && quiet_moves <= 50; ply++, white = !white) {
      Position after[64];
      int score = 0, number = moves(&at, white, after);
      if (!number) { result = white ? -1 : 1; break; }
      int taking = captures(&at, &after[0]), chosen = ply < opening ? (int)drawn(number) : best_of(after, number, white, positions, &score);
      if (ply >= opening) {
        int threat = !!jumpers(at.theirs, at.mine, at.kings, !white);
        records[count++] = (Record){white ? at.mine : at.theirs, white ? at.theirs : at.mine, at.kings, white, white ? score : -score, 0, !taking && !threat};
        if (score > WON - 200 || score < 200 - WON) { result = (score > 0) == white ? 1 : -1; break; }
        if (!drawn(50)) chosen = drawn(number);
      }
      quiet_moves = taking || (at.mine & ~at.kings) != (after[chosen].theirs & ~after[chosen].kings) ? 0 : quiet_moves + 1;
      at = after[chosen];
    }
    for (int n = start; n < count; n++) records[n].result = result;
  }
  return count;
}

/* Adds to `slope` how the mean log loss changes with `weights` (early and late, one after the other); `chances` of White come back. */
void fit(int count, int each, const int32_t *index, const int8_t *sign, const float *early, const float *rest, const float *wanted,
         const float *share, const float *weights, float *slope, float *chances) {
  for (int n = 0; n < count; n++, index += each, sign += each) {
    float logit = rest[n], late = 1 - early[n];
    for (int k = 0; k < each; k++) logit += sign[k] * (early[n] * weights[2 * index[k]] + late * weights[2 * index[k] + 1]);
    chances[n] = 1 / (1 + expf(-logit));
    float error = (chances[n] - wanted[n]) * share[n];
    for (int k = 0; error && k < each; k++) {
      slope[2 * index[k]] += sign[k] * error * early[n];
      slope[2 * index[k] + 1] += sign[k] * error * late;
    }
  }
}
