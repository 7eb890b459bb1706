import type { Suggestion } from '../api/contract'
import type { PairState } from '../api/types'

const states: Record<PairState, string> = { proposed: 'To decide', merged: 'The same', apart: 'Different' }
const suggestionStates: Record<Suggestion['state'], string> = { open: 'Open', accepted: 'Accepted', rejected: 'Rejected' }

export const en = {
  title: 'Review',
  identity: {
    title: 'Are these the same?',
    note: 'Pairs of entities that may be one. A decision can be taken back at any time.',
    absent: 'This service does not compare entities yet.',
    state: 'Show',
    states,
    none: 'No pairs here.',
    count: (n: number) => `${n} ${n === 1 ? 'pair' : 'pairs'}`,
    score: (percent: string) => `${percent} alike`,
    by: { rule: 'decided by rule', hand: 'decided by hand' },
    same: 'The same',
    different: 'Different',
    undecided: 'Take back',
    pair: (one: string, other: string) => `${one} and ${other}`,
    reason: 'Reason, if there is one to give',
    author: 'Your name',
    reasons: 'Why they were paired',
  },
  suggestions: {
    title: 'Suggested terms',
    note: 'What documents speak of and the schema does not know yet. Accepted ones go into the draft of the schema.',
    absent: 'This service does not suggest terms yet.',
    none: 'No suggestions.',
    kinds: { relation: 'relation', class: 'class' },
    states: suggestionStates,
    seen: (n: number) => `seen ${n} times`,
    from: 'from',
    to: 'to',
    accept: 'Accept into the draft',
    reject: 'Reject',
    reopen: 'Open again',
    toSchema: 'To the draft',
  },
}

export const zh: typeof en = {
  title: '审核',
  identity: {
    title: '它们是同一个吗？',
    note: '可能相同的实体对。任何决定都可以撤回。',
    absent: '此服务尚不比较实体。',
    state: '显示',
    states: { proposed: '待定', merged: '相同', apart: '不同' },
    none: '此处没有实体对。',
    count: (n) => `${n} 对`,
    score: (percent) => `相似度 ${percent}`,
    by: { rule: '由规则决定', hand: '由人工决定' },
    same: '相同',
    different: '不同',
    undecided: '撤回',
    pair: (one, other) => `${one} 与 ${other}`,
    reason: '理由（可不填）',
    author: '您的姓名',
    reasons: '配对的理由',
  },
  suggestions: {
    title: '建议的术语',
    note: '文档提到而模式尚不认识的内容。接受后进入模式草稿。',
    absent: '此服务尚不建议术语。',
    none: '没有建议。',
    kinds: { relation: '关系', class: '类' },
    states: { open: '待定', accepted: '已接受', rejected: '已拒绝' },
    seen: (n) => `出现 ${n} 次`,
    from: '从',
    to: '到',
    accept: '接受到草稿',
    reject: '拒绝',
    reopen: '重新打开',
    toSchema: '前往草稿',
  },
}
