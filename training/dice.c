/* Traces paths of light to small pictures of dice, checkers, walls and a bed. training/dice_tracing.py compiles it.
   Lengths are in sides of the die that is looked at; colours are three shares of linear light. */
#include <math.h>
#include <stdint.h>

#define FAR_AWAY 1e9f
#define NEAR 1e-3f
enum { GROUND = 1, DIE, CHECKER, BOX };

typedef struct { float x, y, z; } V;
/* numbers: on the faces +x, -x, +y, -y, +z, -z; turned: whether the pattern is turned by a quarter there. */
typedef struct {
    float centre[3], turn[9], side, bevel, ball, body[3], pip[3], one[3];
    float pip_radius, one_radius, pitch, sunk, clear, rough, numbers[6], turned[6];
} Die;
/* kinds: 0 flat, 1 raised rim, 2 grooves, 3 dome, 4 inlaid disc, 5 dots. */
typedef struct { float x, y, low, radius, tall, colour[3], second[3], kind, rough, ring, width, dots; } Checker;
typedef struct { float centre[3], half[3], cosine, sine, round, colour[3], rough, grain; } Box;
typedef struct { float x[3], y[3], colour[3]; } Triangle;
typedef struct { float place[3], radius, light[3]; } Lamp;
typedef struct {
    float ground[3], grain, scale[2], cosine, sine, rough, sky[3], eye[3], plane, corner[2], right[2], down[2], foot;
    int32_t dice, checkers, boxes, triangles, lamps, rays, width, height;
    uint32_t seed;
} World;
typedef struct { const World *w; const Die *dice; const Checker *men; const Box *boxes; const Triangle *ink; const Lamp *lamps; } Scene;
typedef struct { float t; V p, n, albedo, body; float rough, clear; int kind, index; } Hit;

static uint32_t state;
static float chance(void) {
    state ^= state << 13; state ^= state >> 17; state ^= state << 5;
    return (state >> 8) * (1.0f / 16777216.0f);
}
static V v(float x, float y, float z) { V r = {x, y, z}; return r; }
static V of(const float *a) { return v(a[0], a[1], a[2]); }
static V add(V a, V b) { return v(a.x + b.x, a.y + b.y, a.z + b.z); }
static V sub(V a, V b) { return v(a.x - b.x, a.y - b.y, a.z - b.z); }
static V mul(V a, float s) { return v(a.x * s, a.y * s, a.z * s); }
static V times(V a, V b) { return v(a.x * b.x, a.y * b.y, a.z * b.z); }
static float dot(V a, V b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
static V unit(V a) { return mul(a, 1 / sqrtf(dot(a, a) + 1e-20f)); }
static V ball(void) {
    float z = 2 * chance() - 1, a = 6.2831853f * chance(), r = sqrtf(fmaxf(0, 1 - z * z));
    return v(r * cosf(a), r * sinf(a), z);
}
static float lattice(int x, int y) {
    uint32_t h = (uint32_t)x * 374761393u + (uint32_t)y * 668265263u;
    h = (h ^ (h >> 13)) * 1274126177u;
    return ((h ^ (h >> 16)) & 0xffff) / 32768.0f - 1;
}
static float cloud(float x, float y) {
    int i = (int)floorf(x), j = (int)floorf(y);
    float a = x - i, b = y - j;
    return (lattice(i, j) * (1 - a) + lattice(i + 1, j) * a) * (1 - b) + (lattice(i, j + 1) * (1 - a) + lattice(i + 1, j + 1) * a) * b;
}
static V local(const Die *d, V p) {
    V q = sub(p, of(d->centre));
    const float *m = d->turn;
    return mul(v(m[0] * q.x + m[3] * q.y + m[6] * q.z, m[1] * q.x + m[4] * q.y + m[7] * q.z, m[2] * q.x + m[5] * q.y + m[8] * q.z), 1 / d->side);
}
static V outward(const Die *d, V q) {
    const float *m = d->turn;
    return v(m[0] * q.x + m[1] * q.y + m[2] * q.z, m[3] * q.x + m[4] * q.y + m[5] * q.z, m[6] * q.x + m[7] * q.y + m[8] * q.z);
}
static float cube(const Die *d, V q) {
    float in = 0.5f - d->bevel, x = fabsf(q.x) - in, y = fabsf(q.y) - in, z = fabsf(q.z) - in;
    float most = fmaxf(x, fmaxf(y, z));
    V o = v(fmaxf(x, 0), fmaxf(y, 0), fmaxf(z, 0));
    return fmaxf(sqrtf(dot(o, o)) + fminf(most, 0) - d->bevel, sqrtf(dot(q, q)) - d->ball);
}
/* Distance (in sides) along a ray in the die's own axes, or a negative number. */
static float march(const Die *d, V o, V r, float most) {
    float b = dot(o, r), c = dot(o, o) - 0.76f, h = b * b - c;
    if (h < 0) return -1;
    h = sqrtf(h);
    float t = fmaxf(-b - h, 0), end = fminf(-b + h, most);
    for (int k = 0; k < 40 && t < end; k++) {
        float away = cube(d, add(o, mul(r, t)));
        if (away < 0.0015f) return t;
        t += away;
    }
    return -1;
}
static void painted(const Die *d, Hit *h, V q) {
    float a[3] = {q.x, q.y, q.z};
    int axis = fabsf(a[0]) > fabsf(a[1]) ? (fabsf(a[0]) > fabsf(a[2]) ? 0 : 2) : (fabsf(a[1]) > fabsf(a[2]) ? 1 : 2);
    int face = 2 * axis + (a[axis] < 0), number = (int)d->numbers[face], first = (axis + 1) % 3, second = (axis + 2) % 3;
    float x = a[first], y = a[second], e = 0.01f;
    if (d->turned[face] > 0.5f) { float was = x; x = -y; y = was; }
    V g = v(cube(d, add(q, v(e, 0, 0))) - cube(d, sub(q, v(e, 0, 0))), cube(d, add(q, v(0, e, 0))) - cube(d, sub(q, v(0, e, 0))),
            cube(d, add(q, v(0, 0, e))) - cube(d, sub(q, v(0, 0, e))));
    g = unit(g);
    h->albedo = h->body = of(d->body); h->clear = d->clear; h->rough = d->rough;
    static const unsigned places[7] = {0, 16, 257, 273, 325, 341, 365 };
    float radius = number == 1 ? d->one_radius : d->pip_radius;
    for (int k = 0; k < 9; k++) {
        if (!(places[number] >> k & 1)) continue;
        float px = (k % 3 - 1) * d->pitch, py = (k / 3 - 1) * d->pitch, away = hypotf(x - px, y - py);
        if (away >= radius) continue;
        h->albedo = number == 1 ? of(d->one) : of(d->pip);
        h->clear = 0;
        if (d->turned[face] > 0.5f) { float was = px; px = py; py = -was; }
        V bend = v(0, 0, 0);
        float *to = &bend.x;
        to[(axis + 1) % 3] = -(a[(axis + 1) % 3] - px) / radius * d->sunk;
        to[(axis + 2) % 3] = -(a[(axis + 2) % 3] - py) / radius * d->sunk;
        g = unit(add(g, bend));
    }
    h->n = outward(d, g);
}
static void topped(const Checker *c, Hit *h, float x, float y) {
    float r = sqrtf(x * x + y * y) / c->radius, slope = 0;
    int kind = (int)c->kind;
    if (r > 0.9f) slope += 4 * (r - 0.9f);
    if (kind == 1) slope += fabsf(r - c->ring) < c->width ? -0.8f : 0;
    if (kind == 2) { float s = fmodf(r + 1e-3f, c->ring) - c->ring / 2; slope += fabsf(s) < c->width ? (s < 0 ? -0.7f : 0.7f) : 0; }
    if (kind == 3) slope += 0.35f * r;
    if (kind == 4 && r < c->ring) h->albedo = of(c->second);
    if (kind == 5) {
        float a = atan2f(y, x) / 6.2831853f * c->dots;
        a = (a - floorf(a) - 0.5f) / c->dots * 6.2831853f * c->ring;
        if (hypotf(a, r - c->ring) < c->width || r < c->width) h->albedo = of(c->second);
    }
    float l = sqrtf(x * x + y * y) + 1e-9f;
    h->n = unit(v(x / l * slope, y / l * slope, 1));
}
static int inside(const Triangle *t, float x, float y) {
    int left = 0, right = 0;
    for (int k = 0; k < 3; k++) {
        int m = (k + 1) % 3;
        float s = (t->x[m] - t->x[k]) * (y - t->y[k]) - (t->y[m] - t->y[k]) * (x - t->x[k]);
        left |= s < 0; right |= s > 0;
    }
    return !(left && right);
}
/* The nearest hit; `past`: a die that is left out, or -1. */
static Hit nearest(const Scene *s, V o, V r, int past) {
    Hit h = {.t = FAR_AWAY, .kind = 0, .index = -1};
    if (r.z < -1e-6f && -o.z / r.z > NEAR) { h.t = -o.z / r.z; h.kind = GROUND; }
    for (int k = 0; k < s->w->checkers; k++) {
        const Checker *c = s->men + k;
        float x = o.x - c->x, y = o.y - c->y, a = r.x * r.x + r.y * r.y, b = x * r.x + y * r.y, q = x * x + y * y - c->radius * c->radius;
        if (r.z < -1e-6f) {
            float t = (c->low + c->tall - o.z) / r.z, px = x + t * r.x, py = y + t * r.y;
            if (t > NEAR && t < h.t && px * px + py * py < c->radius * c->radius) { h.t = t; h.kind = CHECKER; h.index = 2 * k + 1; }
        }
        float disc = b * b - a * q;
        if (disc > 0 && a > 1e-9f) {
            float t = (-b - sqrtf(disc)) / a, z = o.z + t * r.z;
            if (t > NEAR && t < h.t && z > c->low && z < c->low + c->tall) { h.t = t; h.kind = CHECKER; h.index = 2 * k; }
        }
    }
    for (int k = 0; k < s->w->boxes; k++) {
        const Box *b = s->boxes + k;
        V p = sub(o, of(b->centre));
        float oo[3] = {b->cosine * p.x + b->sine * p.y, -b->sine * p.x + b->cosine * p.y, p.z};
        float rr[3] = {b->cosine * r.x + b->sine * r.y, -b->sine * r.x + b->cosine * r.y, r.z}, in = -FAR_AWAY, out = FAR_AWAY;
        for (int a = 0; a < 3; a++) {
            float inv = 1 / (fabsf(rr[a]) > 1e-9f ? rr[a] : 1e-9f), t0 = (-b->half[a] - oo[a]) * inv, t1 = (b->half[a] - oo[a]) * inv;
            in = fmaxf(in, fminf(t0, t1)); out = fminf(out, fmaxf(t0, t1));
        }
        if (in < out && in > NEAR && in < h.t) { h.t = in; h.kind = BOX; h.index = k; }
    }
    V at = v(0, 0, 0);
    for (int k = 0; k < s->w->dice; k++) {
        const Die *d = s->dice + k;
        if (k == past) continue;
        V lo = local(d, o), lr = mul(local(d, add(r, of(d->centre))), d->side);
        float t = march(d, lo, lr, h.t / d->side);
        if (t > NEAR && t * d->side < h.t) { h.t = t * d->side; h.kind = DIE; h.index = k; at = add(lo, mul(lr, t)); }
    }
    if (!h.kind) return h;
    h.p = add(o, mul(r, h.t));
    if (h.kind == DIE) painted(s->dice + h.index, &h, at);
    if (h.kind == GROUND) {
        const World *w = s->w;
        h.n = v(0, 0, 1); h.albedo = of(w->ground); h.rough = w->rough;
        for (int k = 0; k < w->triangles; k++) if (inside(s->ink + k, h.p.x, h.p.y)) h.albedo = of(s->ink[k].colour);
        float x = (w->cosine * h.p.x + w->sine * h.p.y) * w->scale[0], y = (-w->sine * h.p.x + w->cosine * h.p.y) * w->scale[1];
        h.albedo = mul(h.albedo, fmaxf(0.1f, 1 + w->grain * (cloud(x, y) + 0.6f * cloud(2.3f * x + 9, 2.3f * y + 5))));
    }
    if (h.kind == CHECKER) {
        const Checker *c = s->men + h.index / 2;
        h.albedo = of(c->colour); h.rough = c->rough;
        if (h.index & 1) topped(c, &h, h.p.x - c->x, h.p.y - c->y);
        else h.n = v((h.p.x - c->x) / c->radius, (h.p.y - c->y) / c->radius, 0);
    }
    if (h.kind == BOX) {
        const Box *b = s->boxes + h.index;
        V p = sub(h.p, of(b->centre));
        float q[3] = {b->cosine * p.x + b->sine * p.y, -b->sine * p.x + b->cosine * p.y, p.z}, n[3];
        for (int a = 0; a < 3; a++) { float e = fmaxf(0, fabsf(q[a]) - b->half[a] + b->round); n[a] = q[a] < 0 ? -e : e; }
        h.n = unit(v(b->cosine * n[0] - b->sine * n[1], b->sine * n[0] + b->cosine * n[1], n[2]));
        h.albedo = mul(of(b->colour), fmaxf(0.1f, 1 + b->grain * cloud(2 * q[0], 9 * q[1] + q[2])));
        h.rough = b->rough;
    }
    return h;
}
static float let_through(const Scene *s, V o, V r, float far) {
    Hit h = nearest(s, o, r, -1);
    if (h.t >= far) return 1;
    return h.kind == DIE ? h.clear * 0.6f : 0;
}
static V lit(const Scene *s, const Hit *h) {
    V sum = v(0, 0, 0);
    for (int k = 0; k < s->w->lamps; k++) {
        const Lamp *l = s->lamps + k;
        V to = sub(add(of(l->place), mul(ball(), l->radius)), h->p);
        float far = sqrtf(dot(to, to)), cosine = dot(h->n, to) / far, whole = dot(of(l->place), of(l->place));
        if (cosine <= 0) continue;
        float share = let_through(s, add(h->p, mul(h->n, 0.004f)), mul(to, 1 / far), far);
        sum = add(sum, mul(of(l->light), share * cosine * whole / (far * far)));
    }
    return sum;
}
static V mirrored(const Scene *s, V o, V r, int past) {
    for (int k = 0; k < s->w->lamps; k++) {
        const Lamp *l = s->lamps + k;
        V to = sub(of(l->place), o);
        float b = dot(to, r), whole = dot(to, to);
        if (b > 0 && whole - b * b < l->radius * l->radius && nearest(s, o, r, past).kind == 0)
            return mul(of(l->light), fminf(whole / (l->radius * l->radius), 60));
    }
    Hit h = nearest(s, o, r, past);
    return h.kind ? mul(times(h.albedo, of(s->w->sky)), 0.7f) : of(s->w->sky);
}
static V radiance(const Scene *s, V o, V r, int past, int depth) {
    Hit h = nearest(s, o, r, past);
    V sky = of(s->w->sky);
    if (!h.kind) return sky;
    if (dot(h.n, r) > 0) h.n = sub(h.n, mul(r, 1.02f * dot(h.n, r)));
    h.n = unit(h.n);
    int die = h.kind == DIE ? h.index : -1;
    V out = v(0, 0, 0), from = add(h.p, mul(h.n, 0.004f));
    if (h.clear > 0 && depth < 2 && chance() < h.clear) {
        V tint = v(sqrtf(h.body.x), sqrtf(h.body.y), sqrtf(h.body.z));
        out = times(tint, radiance(s, h.p, r, die, depth + 1));
    } else {
        out = times(h.albedo, lit(s, &h));
        if (depth == 0) out = add(out, times(h.albedo, radiance(s, from, unit(add(h.n, mul(ball(), 0.999f))), -1, 1)));
        else out = add(out, mul(times(h.albedo, sky), 0.5f));
    }
    if (depth == 0) {
        float cosine = fmaxf(0, -dot(h.n, r)), rise = 1 - cosine, share = 0.04f + 0.96f * rise * rise * rise * rise * rise;
        V way = unit(add(sub(r, mul(h.n, 2 * dot(h.n, r))), mul(ball(), h.rough * h.rough)));
        out = add(mul(out, 1 - share), mul(mirrored(s, from, way, die), share * (1 - 0.7f * h.rough)));
    }
    return out;
}
/* Fills `out` (height x width x 3). */
void trace(const World *w, const Die *dice, const Checker *men, const Box *boxes, const Triangle *ink, const Lamp *lamps, float *out) {
    Scene s = {w, dice, men, boxes, ink, lamps};
    state = w->seed * 2654435761u + 12345u;
    if (!state) state = 1;
    for (int y = 0; y < w->height; y++)
        for (int x = 0; x < w->width; x++) {
            V sum = v(0, 0, 0);
            for (int k = 0; k < w->rays; k++) {
                float a = x + 0.5f + (chance() + chance() - 1) * w->foot, b = y + 0.5f + (chance() + chance() - 1) * w->foot;
                V to = v(w->corner[0] + a * w->right[0] + b * w->down[0], w->corner[1] + a * w->right[1] + b * w->down[1], w->plane);
                V seen = radiance(&s, of(w->eye), unit(sub(to, of(w->eye))), -1, 0);
                sum = add(sum, v(fminf(seen.x, 4), fminf(seen.y, 4), fminf(seen.z, 4)));
            }
            float *px = out + 3 * (y * w->width + x);
            px[0] = sum.x / w->rays; px[1] = sum.y / w->rays; px[2] = sum.z / w->rays;
        }
}
