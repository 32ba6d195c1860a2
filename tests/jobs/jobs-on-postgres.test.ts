import { describeJobs } from './describe-jobs.js';

describeJobs('postgres');
