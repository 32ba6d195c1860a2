import { describeJobs } from './describe-jobs.js';

describeJobs({ backend: 'postgres', mongodbUri: null });
