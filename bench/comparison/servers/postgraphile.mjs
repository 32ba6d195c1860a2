import http from 'node:http';
import pg from 'pg';
import { postgraphile } from 'postgraphile';
import { makePgService } from 'postgraphile/adaptors/pg';
import { grafserv } from 'postgraphile/grafserv/node';
import { PostGraphileAmberPreset } from 'postgraphile/presets/amber';

const { DATABASE_URL, PORT } = process.env;
const pool = new pg.Pool({ connectionString: DATABASE_URL, max: 10 });
const instance = postgraphile({
  extends: [PostGraphileAmberPreset],
  pgServices: [makePgService({ pool, schemas: ['app'] })],
  grafserv: { port: Number(PORT), watch: false, graphiql: false, graphqlPath: '/graphql' },
  grafast: { explain: false },
});
const server = http.createServer();
await instance.createServ(grafserv).addTo(server);
server.listen(Number(PORT), '127.0.0.1');
