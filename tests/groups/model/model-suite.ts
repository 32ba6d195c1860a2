import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { createDeletionFixture, type DeletionFixture } from '../../support/groups/deletion-fixture.js';
import { expectGroupInvariants } from '../../support/groups/group-invariants.js';
import { createGroupsFixture, type GroupsFixture } from '../../support/groups/groups-fixture.js';
import { expectAlike } from './compare.js';
import { ModelGroup } from './model-group.js';
import { RealGroup } from './real-group.js';
import { steps, wait, type Step } from './steps.js';

export interface ModelRuns {
  /** Runs against the model, one step after another. */
  readonly inTurn: number;
  /** Runs in which all steps are taken at once. */
  readonly atOnce: number;
  /** How long runs get, in the words of fast-check. */
  readonly size: fc.Size;
  readonly timeoutMs: number;
}

/** A failure names its seed, path and replayPath: run it again with MODEL_SEED, MODEL_PATH and MODEL_REPLAY_PATH. */
const { MODEL_SEED: seed, MODEL_PATH: path, MODEL_REPLAY_PATH: replayPath } = process.env;
const REPLAY = {
  ...(seed !== undefined && { seed: Number(seed) }),
  ...(path !== undefined && { path, endOnFailure: true }),
};

class StepCommand implements fc.AsyncCommand<ModelGroup, RealGroup> {
  readonly #step: Step;

  constructor(step: Step) {
    this.#step = step;
  }

  check(): boolean {
    return true;
  }

  async run(model: ModelGroup, real: RealGroup): Promise<void> {
    const since = model.history.length;
    const expected = model.take(this.#step);
    expect(await real.take(this.#step)).toBe(expected);
    await expectAlike(model, real, since);
  }

  toString(): string {
    return JSON.stringify(this.#step);
  }
}

/** Holds groups to their model; see docs/groups.md for what the model says. */
export function describeModel({ inTurn, atOnce, size, timeoutMs }: ModelRuns): void {
  describe.each(['in one process', 'in separate processes'] as const)('a group changed %s', (calls) => {
    let fixture: GroupsFixture;
    let deletion: DeletionFixture;
    beforeAll(async () => {
      fixture = await createGroupsFixture(calls);
      deletion = createDeletionFixture(fixture);
    });
    afterAll(async () => {
      await deletion.flushRevocations();
      await fixture.close();
    });

    it(
      `is what the model says, one step after another (${inTurn} runs)`,
      async () => {
        const anyStep = fc.oneof(...steps, wait).map((step) => new StepCommand(step));
        await fc.assert(
          fc.asyncProperty(
            fc.commands([anyStep], { maxCommands: 25, size, ...(replayPath !== undefined && { replayPath }) }),
            async (commands) => {
              const real = await RealGroup.open(fixture, deletion);
              await fc.asyncModelRun(() => ({ model: new ModelGroup(), real }), commands);
            },
          ),
          { numRuns: inTurn, ...REPLAY },
        );
      },
      timeoutMs,
    );

    it(
      `agrees with itself when everything happens at once (${atOnce} runs)`,
      async () => {
        const anyStep = fc.oneof(...steps);
        await fc.assert(
          fc.asyncProperty(
            fc.array(anyStep, { maxLength: 8, size }),
            fc.nat({ max: 30 }),
            fc.array(anyStep, { minLength: 4, maxLength: 16, size }),
            async (before, days, together) => {
              const real = await RealGroup.open(fixture, deletion);
              for (const step of before) await real.take(step);
              await real.take({ kind: 'wait', days, punctual: false });
              // Whatever falls due is recorded meanwhile.
              await Promise.all([
                ...together.map((step) => real.take(step)),
                real.take({ kind: 'wait', days: 0, punctual: true }),
              ]);
              const [left] = await fixture.sql('select 1 from groups where id = $1', [real.groupId]);
              if (left !== undefined) await expectGroupInvariants(fixture, real.groupId);
            },
          ),
          { numRuns: atOnce, ...REPLAY },
        );
      },
      timeoutMs,
    );
  });
}
