import { useCallback, useRef, useState } from 'preact/hooks';

export interface Action {
  /** Starts the work, unless it is under way. */
  readonly run: () => void;
  readonly isRunning: boolean;
  /** Why the last run failed; null when it did not. */
  readonly error: unknown;
}

/** Tracks work that the visitor starts: whether it is under way, and why it failed. */
export function useAction(work: () => Promise<unknown>): Action {
  const [state, setState] = useState<Omit<Action, 'run'>>({ isRunning: false, error: null });
  const latest = useRef(work);
  latest.current = work;
  const isRunning = useRef(false);
  const run = useCallback(() => {
    if (isRunning.current) return;
    isRunning.current = true;
    setState({ isRunning: true, error: null });
    const finish = (error: unknown) => {
      isRunning.current = false;
      setState({ isRunning: false, error });
    };
    latest.current().then(() => finish(null), finish);
  }, []);
  return { run, ...state };
}
