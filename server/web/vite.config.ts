import { defineConfig } from 'vite'
import { licences } from './licences'

// Where `npm run dev` finds a running service.
const service = 'http://127.0.0.1:7878'

export default defineConfig({
  plugins: [licences('licenses.md')],
  build: {
    target: 'es2023',
    cssTarget: ['chrome123', 'firefox120', 'safari17.5'],
    sourcemap: false,
    modulePreload: { polyfill: false },
    chunkSizeWarningLimit: 600,
    rollupOptions: {
      // Some packages mark what runs in browsers alone; everything here does.
      onwarn: (warning, warn) => warning.code === 'MODULE_LEVEL_DIRECTIVE' || warn(warning),
    },
  },
  server: {
    proxy: Object.fromEntries(
      ['/v1', '/health', '/openapi.json', '/docs'].map((path) => [
        path,
        // The service refuses what comes from another origin than its own.
        { target: service, changeOrigin: true, headers: { origin: service } },
      ]),
    ),
  },
})
