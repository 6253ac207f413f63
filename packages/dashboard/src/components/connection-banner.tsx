import { useIsAway } from '../connection.ts';

/** Says that what is shown may be old, while the service cannot be reached. */
export function ConnectionBanner() {
  return (
    <div role="status" className="connection-status">
      {useIsAway() && (
        <div className="connection-banner">
          The connection to Rollcall is lost. What you see may be old; it is loaded again as soon as Rollcall is back.
        </div>
      )}
    </div>
  );
}
