import fastifyStatic from '@fastify/static';
import fastify from 'fastify';

/** What covers are measured against: a folder behind a static route, and nothing else. */
const app = fastify();
await app.register(fastifyStatic, { root: process.env.FOLDER ?? '' });
app.get('/health', async () => ({}));
await app.listen({ port: Number(process.env.PORT), host: '127.0.0.1' });
process.on('SIGTERM', () => process.exit(0));
