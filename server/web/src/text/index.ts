import * as ask from './ask'
import * as documents from './documents'
import * as graph from './graph'
import * as numbers from './numbers'
import * as review from './review'
import * as rules from './rules'
import * as schema from './schema'
import * as shell from './shell'

// One dictionary; each page's part has both languages side by side, and the Chinese one the English one's type.
const en = { shell: shell.en, ask: ask.en, schema: schema.en, rules: rules.en, graph: graph.en, documents: documents.en, review: review.en, numbers: numbers.en }

export type Dictionary = typeof en
export type Lang = 'en' | 'zh'

export const dictionaries: Record<Lang, Dictionary> = {
  en,
  zh: { shell: shell.zh, ask: ask.zh, schema: schema.zh, rules: rules.zh, graph: graph.zh, documents: documents.zh, review: review.zh, numbers: numbers.zh },
}

export const languages: Record<Lang, string> = { en: 'English', zh: '中文' }
