// SHA-256 (FIPS 180-4) for pages over plain http: browsers offer crypto.subtle on https and localhost only.

// The first 32 bits of the fractional parts of roots of the first primes.
const PRIMES = [];
for (let n = 2; PRIMES.length < 64; n += 1) if (PRIMES.every((prime) => n % prime)) PRIMES.push(n);
const fraction = (root) => Math.floor((root % 1) * 2 ** 32) | 0;
const ROUNDS = PRIMES.map((prime) => fraction(Math.cbrt(prime)));
const START = PRIMES.slice(0, 8).map((prime) => fraction(Math.sqrt(prime)));

const turned = (word, by) => (word >>> by) | (word << (32 - by));

// The message with a 1 bit, zeros, and its length in bits at the end of a block of 64 bytes.
function padded(message) {
  const blocks = new DataView(new ArrayBuffer(64 * Math.ceil((message.length + 9) / 64)));
  message.forEach((byte, n) => blocks.setUint8(n, byte));
  blocks.setUint8(message.length, 0x80);
  blocks.setUint32(blocks.byteLength - 8, Math.floor(message.length / 2 ** 29));
  blocks.setUint32(blocks.byteLength - 4, message.length << 3);
  return blocks;
}

function schedule(blocks, from) {
  const words = Array.from({ length: 16 }, (_, n) => blocks.getInt32(from + 4 * n));
  for (let n = 16; n < 64; n += 1) {
    const [a, b] = [words[n - 15], words[n - 2]];
    const near = turned(a, 7) ^ turned(a, 18) ^ (a >>> 3);
    const far = turned(b, 17) ^ turned(b, 19) ^ (b >>> 10);
    words.push((words[n - 16] + near + words[n - 7] + far) | 0);
  }
  return words;
}

function mixed(state, words) {
  let [a, b, c, d, e, f, g, h] = state;
  words.forEach((word, n) => {
    const chosen = (turned(e, 6) ^ turned(e, 11) ^ turned(e, 25)) + ((e & f) ^ (~e & g));
    const first = (h + chosen + ROUNDS[n] + word) | 0;
    const second = (turned(a, 2) ^ turned(a, 13) ^ turned(a, 22)) + ((a & b) ^ (a & c) ^ (b & c));
    [a, b, c, d, e, f, g, h] = [(first + second) | 0, a, b, c, (d + first) | 0, e, f, g];
  });
  return [a, b, c, d, e, f, g, h].map((word, n) => (word + state[n]) | 0);
}

// The 32 bytes of a message's hash; both are Uint8Array.
export function sha256(message) {
  const blocks = padded(message);
  let state = START;
  for (let from = 0; from < blocks.byteLength; from += 64) state = mixed(state, schedule(blocks, from));
  const hash = new DataView(new ArrayBuffer(32));
  state.forEach((word, n) => hash.setInt32(4 * n, word));
  return new Uint8Array(hash.buffer);
}
