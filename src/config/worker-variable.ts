import cluster from 'node:cluster';

/** Marks the workers of a service. Node marks every worker of a cluster, those of a process manager included. */
const WORKER_VARIABLE = 'CONVENE_WORKER';

/** Variables of the environment for the workers of this process. */
export const WORKER_ENVIRONMENT = { [WORKER_VARIABLE]: '1' };

/** Whether the service itself has started this process as one of its workers. */
export function isServiceWorker(environment: NodeJS.ProcessEnv = process.env): boolean {
  return cluster.isWorker && environment[WORKER_VARIABLE] !== undefined;
}
