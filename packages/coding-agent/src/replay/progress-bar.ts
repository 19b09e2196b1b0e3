// The line that shows how far a replay is. Pure: it is given the time and what was read.
const WIDTH = 24;

export function progressBar(read: number, total: number, elapsedMs: number): string {
  const share = total === 0 ? 1 : Math.min(1, read / total);
  const full = Math.round(share * WIDTH);
  const speed = elapsedMs < 200 ? "" : `, ${(read / 1e3 / elapsedMs).toFixed(0)} MB/s`;
  const bar = "█".repeat(full) + "░".repeat(WIDTH - full);
  return `${bar} ${(share * 100).toFixed(0).padStart(3)} % of ${(total / 1e6).toFixed(1)} MB${speed}`;
}
