import { useEffect, useState } from 'preact/hooks';

/** Says that the browser has no network, for as long as that lasts. */
export function ConnectionNotice() {
  const [isOnline, setOnline] = useState(navigator.onLine);
  useEffect(() => {
    const read = () => {
      setOnline(navigator.onLine);
    };
    addEventListener('online', read);
    addEventListener('offline', read);
    return () => {
      removeEventListener('online', read);
      removeEventListener('offline', read);
    };
  }, []);
  return (
    <p role="status" class="offline">
      {isOnline ? '' : 'You are offline. What you see may be out of date.'}
    </p>
  );
}
