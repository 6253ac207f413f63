interface ReviewShortcut {
  /** As `Keys` draws them. */
  keys: string;
  description: string;
  /** Whether viewers cannot use it. */
  changes: boolean;
}

/** What the keys do on the page Review, as the keyboard help says it. */
export const REVIEW_SHORTCUTS: ReviewShortcut[] = [
  { keys: 'j or ↓', description: 'Next client', changes: false },
  { keys: 'k or ↑', description: 'Previous client', changes: false },
  { keys: 'Enter', description: 'Open the page of the client', changes: false },
  { keys: 'c', description: 'Complete the client, or all that are selected', changes: true },
  { keys: 'd', description: 'Decline the client, or all that are selected', changes: true },
  { keys: 'a', description: 'Assign to me, or to nobody', changes: true },
  { keys: 'x', description: 'Select the client', changes: true },
  { keys: 'Esc', description: 'Clear the selection', changes: true },
];
