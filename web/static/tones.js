// Generates the sounds with Web Audio.

const LOUD = 0.15;
const knock = (at, n) => ({ at, from: 1700 - 180 * n, to: 600, lasts: 0.04, shape: "triangle" });
const SOUNDS = {
  roll: [0, 0.05, 0.09, 0.16, 0.25].map(knock),
  legal: [{ at: 0, from: 660, to: 660, lasts: 0.12, shape: "sine" }, { at: 0.11, from: 880, to: 880, lasts: 0.2, shape: "sine" }],
  illegal: [{ at: 0, from: 196, to: 147, lasts: 0.35, shape: "sawtooth" }],
}; // seconds and hertz

let context = null;

function tone({ at, from, to, lasts, shape }) {
  const begins = context.currentTime + at;
  const oscillator = context.createOscillator();
  const loudness = context.createGain();
  oscillator.type = shape;
  oscillator.frequency.setValueAtTime(from, begins);
  oscillator.frequency.exponentialRampToValueAtTime(to, begins + lasts);
  loudness.gain.setValueAtTime(LOUD, begins);
  loudness.gain.exponentialRampToValueAtTime(0.001, begins + lasts);
  oscillator.connect(loudness).connect(context.destination);
  oscillator.start(begins);
  oscillator.stop(begins + lasts);
}

export async function play(name) {
  context ??= new AudioContext();
  if (context.state === "suspended") await Promise.race([context.resume(), new Promise((done) => { window.setTimeout(done, 200); })]);
  if (context.state === "running") SOUNDS[name].forEach(tone); // browsers keep a page silent until its first tap
}
