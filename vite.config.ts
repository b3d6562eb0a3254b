import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import { precompress } from './web/build/precompress.ts';

const SERVER = 'http://localhost:8080';

export default defineConfig({
  root: 'web',
  plugins: [react(), precompress()],
  build: {
    outDir: '../dist/web',
    emptyOutDir: true,
    sourcemap: false,
    // Small pictures inside the scripts would be refused by the page's content security policy.
    assetsInlineLimit: 0,
  },
  server: { proxy: { '/v1': SERVER, '/content': SERVER } },
});
