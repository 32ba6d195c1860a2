import { useEffect } from 'preact/hooks';

/** Calls the listener when the visitor returns to the page, or the network does. */
export function useReturn(listener: () => void): void {
  useEffect(() => {
    const onVisible = () => {
      if (document.visibilityState === 'visible') listener();
    };
    addEventListener('online', listener);
    document.addEventListener('visibilitychange', onVisible);
    return () => {
      removeEventListener('online', listener);
      document.removeEventListener('visibilitychange', onVisible);
    };
  }, [listener]);
}
