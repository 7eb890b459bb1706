/// <reference types="node" />
import { readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Plugin } from 'vite'

interface Package {
  name: string
  version: string
  license: string
}

/** Writes the notices that the licences of the bundled packages ask for beside what is built. */
export function licences(fileName: string): Plugin {
  return {
    name: 'licences',
    apply: 'build',
    generateBundle() {
      const folders = new Set([...this.getModuleIds()].flatMap((id) => /^.*\/node_modules\/(@[^/]+\/)?[^/]+(?=\/)/.exec(id.replace(/^\0/, ''))?.[0] ?? []))
      const notices = [...folders].map(notice).sort()
      this.emitFile({ type: 'asset', fileName, source: `# Licences of the packages that are built in\n\n${notices.join('\n')}` })
    },
  }
}

function notice(folder: string): string {
  const { name, version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as Package
  const file = readdirSync(folder).sort().find((one) => /^licen[cs]e/i.test(one))
  const text = file ? readFileSync(join(folder, file), 'utf8').replace(/\r\n/g, '\n').trim() : 'The package has no file with the text of its licence.'
  return `## ${name} ${version} (${license})\n\n${text}\n`
}
