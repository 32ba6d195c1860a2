import { describe, expect, it } from '@jest/globals';
import { TaskDispatcher } from '../src/task-dispatcher.js';

describe('TaskDispatcher', () => {
  it('passes tasks to the jobs when these are connected, and not before', () => {
    const dispatched: string[] = [];
    const dispatcher = new TaskDispatcher();
    const { dispatch } = dispatcher;
    dispatch(['early']);
    dispatcher.connect({ dispatch: (taskIds) => dispatched.push(...taskIds) });
    dispatch(['one', 'two']);
    expect(dispatched).toEqual(['one', 'two']);
  });
});
