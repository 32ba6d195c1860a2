/** The checks of answers and rows that stand beside the measurements. */
import { isDeepStrictEqual } from 'node:util';
import { BenchError } from '../bench-error.js';
import { runSql } from '../database.js';
import { HASHED, READS, type Exchange, type Operation } from '../exchanges/exchange.js';
import { ask, askOnce } from '../load/ask-once.js';
import type { Subject } from '../subjects/subject.js';
import type { Measurer } from './measurer.js';

const BEFORE = 50;
const AFTER = 3;

export type CheckTime = 'before' | 'after';

/** @throws Error with the first wrong answer */
export async function requireRightAnswers(
  measurer: Measurer,
  subject: Subject,
  operation: Operation,
  time: CheckTime,
): Promise<void> {
  const exchange = subject.exchanges[operation];
  if (exchange === undefined) return;
  const count = time === 'before' && !HASHED.includes(operation) ? BEFORE : AFTER;
  for (const number of measurer.take(subject, operation, count)) {
    const wrong = await askOnce(subject.port, exchange, number);
    if (wrong !== null) throw new Error(`Request ${String(number)} was answered wrongly: ${wrong}`);
  }
}

/** Requires that a program which checks access gives a group to members only. */
export async function requireAccessChecks({ port, exchanges }: Subject, operation: Operation): Promise<void> {
  const exchange = exchanges[operation];
  if (exchange?.strangerRequest === undefined) return;
  const asStranger = { ...exchange, request: exchange.strangerRequest };
  for (let number = 0; number < AFTER; number += 1)
    if ((await askOnce(port, asStranger, number)) === null)
      throw new Error(`Request ${String(number)} was answered to a user who is not in the group`);
}

/** Requires that the reference does the work of the service: its answers to reads are the same JSON. */
export async function requireEqualAnswers(reference: Subject, service: Subject, operation: Operation): Promise<void> {
  const [expected, actual] = [service.exchanges[operation], reference.exchanges[operation]];
  if (expected === undefined || actual === undefined || !READS.includes(operation)) return;
  for (let number = 0; number < BEFORE; number += 1) {
    const [ofService, ofReference] = [await jsonOf(service, expected, number), await jsonOf(reference, actual, number)];
    if (!isDeepStrictEqual(ofReference, ofService))
      throw new BenchError(
        `The reference answers ${operation} unlike the service: ${JSON.stringify(ofReference).slice(0, 200)} ` +
          `instead of ${JSON.stringify(ofService).slice(0, 200)}`,
      );
  }
}

async function jsonOf({ port }: Subject, exchange: Exchange, number: number): Promise<unknown> {
  return JSON.parse((await ask(port, exchange, number)).body);
}

/** After all writes of one program of ours: counts are those of the members, and no history row is missing. */
export async function requireExactGroups({ name, databaseUrl }: Subject): Promise<void> {
  const [row] = await runSql<{ wrong: number }>(
    databaseUrl,
    `select count(*)::integer as wrong from groups g join (
       select group_id, count(*) filter (where status = 'PENDING') as pending,
         count(*) filter (where status = 'ACCEPTED') as accepted,
         count(*) filter (where status = 'TENTATIVE') as tentative,
         count(*) filter (where status = 'DECLINED') as declined from member group by 1
     ) m on m.group_id = g.id
     where (g.pending_count, g.accepted_count, g.tentative_count, g.declined_count)
         <> (m.pending, m.accepted, m.tentative, m.declined)
       or g.revision <> 20 + (select count(*) from group_change c where c.group_id = g.id)
       or g.revision <> coalesce((select max(c.revision) from group_change c where c.group_id = g.id), 20)`,
  );
  if (row?.wrong !== 0)
    throw new BenchError(`${name}: ${String(row?.wrong)} groups have wrong counts or an incomplete history`);
}

/** Requires one account for each registration that was answered. */
export async function requireRegisteredAccounts({ name, databaseUrl }: Subject, answered: number): Promise<void> {
  const [row] = await runSql<{ stored: number }>(
    databaseUrl,
    `select count(*)::integer as stored from account where username like 'new-%'`,
  );
  if (row?.stored !== answered)
    throw new BenchError(
      `${name} answered ${String(answered)} registrations and stored ${String(row?.stored)} accounts`,
    );
}

/** Waits until the follow-ups of registrations are done, so that they do not slow the next measurement. */
export async function waitForFollowUps({ databaseUrl }: Subject, limitMs: number): Promise<void> {
  const unfinished = `select 1 from outbox_task where due_at < now() + interval '2 minutes' limit 1`;
  const end = performance.now() + limitMs;
  while ((await runSql(databaseUrl, unfinished)).length > 0 && performance.now() < end)
    await new Promise((resolve) => setTimeout(resolve, 200));
}
