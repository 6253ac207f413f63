import { generate } from 'lean-qr';
import { toSvgPath } from 'lean-qr/extras/svg';
import { useMemo } from 'react';

/** Cameras need an empty border of four squares around the code. */
const BORDER = 4;

export function QrCode({ text, label }: { text: string; label: string }) {
  const code = useMemo(() => generate(text), [text]);
  const size = code.size + 2 * BORDER;
  return (
    <svg
      role="img"
      aria-label={label}
      viewBox={`${-BORDER} ${-BORDER} ${size} ${size}`}
      className="qr-code"
      shapeRendering="crispEdges"
    >
      <path d={toSvgPath(code)} />
    </svg>
  );
}
