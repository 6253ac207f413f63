import { type ReactNode, useEffect, useState } from 'react';

interface FoldProps {
  label: string;
  /** Opens the fold when it becomes true, for content that needs attention. */
  needsAttention?: boolean;
  children: ReactNode;
}

/** Content that most people do not need, folded away under its label. */
export function Fold({ label, needsAttention = false, children }: FoldProps) {
  const [open, setOpen] = useState(false);
  useEffect(() => {
    if (needsAttention) setOpen(true);
  }, [needsAttention]);
  return (
    <details className="fold" open={open} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>{label}</summary>
      <div>{children}</div>
    </details>
  );
}
