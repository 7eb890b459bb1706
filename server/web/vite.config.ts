import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'

// Where `npm run dev` finds a running service.
const service = 'http://127.0.0.1:7878'

export default defineConfig({
  plugins: [react()],
  build: {
    target: 'es2023',
    cssTarget: ['chrome123', 'firefox120', 'safari17.5'],
    sourcemap: false,
    modulePreload: { polyfill: false },
    chunkSizeWarningLimit: 600,
    // The notices that the licences of the bundled packages ask for.
    license: { fileName: 'licenses.md' },
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
