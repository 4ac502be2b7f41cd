/**
 * Loaded into a server before its program: answers a message with the longest pause of the event loop since the message before.
 * A pause counts as the time on the clock or the processor time of the main thread, whichever is less: a busy machine stops a
 * thread that has work.
 */
const BEAT_MS = 1;
/** A fixed piece of work that takes about 3 ms on the machine that the bounds are made for. */
const CALIBRATION_STEPS = 2_500_000;

let last = performance.now();
let used = process.threadCpuUsage();
let longest_ms = 0;

function beat(): void {
  const now = performance.now();
  const spent = process.threadCpuUsage(used);
  longest_ms = Math.max(longest_ms, Math.min(now - last, (spent.user + spent.system) / 1_000));
  used = process.threadCpuUsage();
  last = now;
  setTimeout(beat, BEAT_MS).unref();
}

/** Milliseconds of the fixed piece of work, the best of many: a busy machine leaves some of them alone. */
function calibrated(): number {
  let best = Infinity;
  for (let run = 0; run < 20; run += 1) {
    const began = performance.now();
    let state = run;
    for (let step = 0; step < CALIBRATION_STEPS; step += 1)
      state = (Math.imul(state, 1_664_525) + 1_013_904_223) | 0;
    if (state === run) throw new Error('the work was left out');
    best = Math.min(best, performance.now() - began);
  }
  return best;
}

process.on('message', (asked) => {
  if (asked === 'calibrate') process.send?.({ ms: calibrated() });
  else process.send?.({ ms: longest_ms });
  longest_ms = 0;
});
process.channel?.unref();
beat();
