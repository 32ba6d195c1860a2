import { createContext } from 'preact';
import { useContext, useEffect, useState } from 'preact/hooks';
import type { Client } from '../../session/client.js';
import type { Configuration } from './configuration.js';
import type { Paths } from './paths.js';

export interface AppValue {
  readonly client: Client;
  readonly configuration: Configuration;
  readonly paths: Paths;
}

export const AppContext = createContext<AppValue | null>(null);

/** Returns what every component may use. */
export function useApp(): AppValue {
  const value = useContext(AppContext);
  if (value === null) throw new Error('Component is outside of App');
  return value;
}

/** Returns the id of the user who is logged in, or null. The component renders again when that changes. */
export function useUserId(): string | null {
  const { session } = useApp().client;
  const [userId, setUserId] = useState(session.userId);
  useEffect(() => {
    const read = () => {
      setUserId(session.userId);
    };
    read();
    return session.onChange(read);
  }, [session]);
  return userId;
}
