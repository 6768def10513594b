import { create } from 'qrcode';

/** Modules of white around the code, which readers need. */
const QUIET = 4;

/** A text as a QR code, black on white by day and by night. */
export function QrCode({ text, label }: { text: string; label: string }) {
  const { size, data } = create(text, { errorCorrectionLevel: 'M' }).modules;
  const whole = size + 2 * QUIET;
  return (
    <svg
      class="qr"
      role="img"
      aria-label={label}
      viewBox={`${-QUIET} ${-QUIET} ${whole} ${whole}`}
      shape-rendering="crispEdges"
    >
      <path d={drawModules(size, data)} />
    </svg>
  );
}

/** Returns the dark modules as a path: a line of each run, as high as a module. */
function drawModules(size: number, data: ArrayLike<number>): string {
  let path = '';
  for (let row = 0; row < size; row++)
    for (let column = 0; column < size;) {
      const isDark = (at: number): boolean => at < size && data[row * size + at] === 1;
      let end = column;
      while (isDark(end)) end++;
      if (end > column) path += `M${column} ${row}h${end - column}v1h${column - end}z`;
      column = end + 1;
    }
  return path;
}
