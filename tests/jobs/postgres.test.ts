import { describeJobsOn } from './backend-suite.js';

describeJobsOn({ backend: 'postgres', mongodbUri: null });
