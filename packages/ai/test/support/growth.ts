// How a cost grows with the size of its input, measured in CPU time within one run, so that other work on the machine
// counts little.

/** Costs below this many milliseconds are noise. */
const FLOOR = 4;

/** CPU milliseconds of one run: the least of three. */
function cost(run: () => unknown): number {
  let least = Number.POSITIVE_INFINITY;
  for (let round = 0; round < 3; round++) {
    const start = process.threadCpuUsage();
    run();
    const { user, system } = process.threadCpuUsage(start);
    least = Math.min(least, (user + system) / 1000);
  }
  return least;
}

/** The cost of four times the size over the cost of the size: about 4 where it is linear. The least of three tries. */
export function growthOf<Input>(make: (size: number) => Input, size: number, run: (input: Input) => unknown): number {
  const [small, large] = [make(size), make(4 * size)];
  let least = Number.POSITIVE_INFINITY;
  for (let attempt = 0; attempt < 3 && least > 8; attempt++) {
    const one = Math.max(
      FLOOR,
      cost(() => run(small)),
    );
    least = Math.min(least, cost(() => run(large)) / one);
  }
  return least;
}
