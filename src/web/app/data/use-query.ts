import { useCallback, useEffect, useRef, useState } from 'preact/hooks';
import type { TypedDocumentString } from '../../generated/operations.js';
import { useApp } from './app-context.js';
import { isRetriedOnline } from './is-retried-online.js';
import { useReturn } from './use-return.js';

export interface QueryState<TResult> {
  /** The last result; null until the first has arrived. It stays when a later attempt fails. */
  readonly data: TResult | null;
  /** Why the last attempt failed; null when it did not, or when it is repeated once the network returns. */
  readonly error: unknown;
  /** Runs the query again. */
  readonly reload: () => void;
}

/**
 * Runs a query when the component is shown, when its variables change, and when the visitor returns to the page or to
 * the network.
 */
export function useQuery<TResult, TVariables>(
  operation: TypedDocumentString<TResult, TVariables>,
  variables: TVariables,
): QueryState<TResult> {
  const { client } = useApp();
  const [state, setState] = useState<Omit<QueryState<TResult>, 'reload'>>({ data: null, error: null });
  const attempts = useRef(0);
  const key = JSON.stringify(variables);
  const reload = useCallback(() => {
    const attempt = ++attempts.current;
    const isLatest = () => attempt === attempts.current;
    client.run(operation, variables).then(
      (data) => {
        if (isLatest()) setState({ data, error: null });
      },
      (error: unknown) => {
        if (isLatest() && !isRetriedOnline(error)) setState(({ data }) => ({ data, error }));
      },
    );
  }, [client, operation, key]);
  useEffect(reload, [reload]);
  useReturn(reload);
  return { ...state, reload };
}
