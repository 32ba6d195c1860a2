import { useCallback, useEffect, useState } from 'preact/hooks';
import { OperationError } from '../../api/operation-error.js';
import { GroupDocument, type GroupFactsFragment } from '../../generated/operations.js';
import { useApp } from '../data/app-context.js';
import { useQuery } from '../data/use-query.js';
import { watchGroup, type Change } from './watch-group.js';

/** How many of the latest changes are shown. */
const SHOWN_CHANGES = 12;

export interface LiveGroup {
  /** The group as it is now; null until it has been read. */
  readonly group: GroupFactsFragment | null;
  readonly error: unknown;
  readonly isGone: boolean;
  /** Whether changes are shown as they happen. */
  readonly isLive: boolean;
  /** The latest first. */
  readonly changes: readonly Change[];
  readonly reload: () => void;
  /** Shows the result of the visitor's own mutation, before the change feed reports it. */
  readonly show: (facts: GroupFactsFragment) => void;
}

/** Reads a group, and then follows its changes. */
export function useGroup(id: string): LiveGroup {
  const { client } = useApp();
  const { data, error, reload } = useQuery(GroupDocument, { id });
  const [facts, setFacts] = useState<GroupFactsFragment | null>(null);
  const [changes, setChanges] = useState<readonly Change[]>([]);
  const [isLive, setLive] = useState(false);
  const [isGone, setGone] = useState(false);
  const show = useCallback((next: GroupFactsFragment) => {
    setFacts((before) => (before !== null && before.revision > next.revision ? before : next));
  }, []);
  const start = data === null ? null : Math.max(0, data.group.revision - SHOWN_CHANGES);
  const isKnown = start !== null;
  useEffect(() => {
    if (start === null) return undefined;
    return watchGroup(client, id, start, {
      onChange: (change) => {
        setChanges((before) => [change, ...before].slice(0, SHOWN_CHANGES));
        show(change.group);
      },
      onLive: setLive,
      onGone: () => {
        setGone(true);
      },
    });
    // The feed continues by itself when the group is read again.
  }, [client, id, isKnown]);
  const group = data === null ? null : latestOf(data.group, facts);
  return { group, error, isGone: isGone || isNotFound(error), isLive, changes, reload, show };
}

function latestOf(read: GroupFactsFragment, shown: GroupFactsFragment | null): GroupFactsFragment {
  return shown !== null && shown.revision >= read.revision ? shown : read;
}

function isNotFound(error: unknown): boolean {
  return error instanceof OperationError && error.code === 'NOT_FOUND';
}
