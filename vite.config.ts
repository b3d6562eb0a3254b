import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import { bootScript } from './web/build/boot-script.ts';
import { precompress } from './web/build/precompress.ts';

const SERVER = 'http://localhost:8080';

export default defineConfig({
  root: 'web',
  plugins: [react(), bootScript(), precompress()],
  build: {
    outDir: '../dist/web',
    emptyOutDir: true,
    sourcemap: false,
    // Small pictures inside the scripts would be refused by the page's content security policy.
    assetsInlineLimit: 0,
  },
  server: { proxy: { '/v1': SERVER, '/content': SERVER } },
});
