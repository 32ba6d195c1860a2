import { ApolloServer } from '@apollo/server';
import integration, { fastifyApolloDrainPlugin } from '@as-integrations/fastify';
import Fastify from 'fastify';
import { context, resolvers, typeDefs } from './graphql-by-hand.mjs';

const app = Fastify();
const server = new ApolloServer({
  typeDefs,
  resolvers,
  introspection: false,
  plugins: [fastifyApolloDrainPlugin(app)],
});
await server.start();
await app.register((integration.default ?? integration)(server), { context });
await app.listen({ port: Number(process.env.PORT), host: '127.0.0.1' });
