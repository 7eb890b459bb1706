import type { BrokenRules, Rule, Split } from './contract'
import type { components } from './generated'

type Schemas = components['schemas']

export type Answer = Schemas['AnswerBody']
export type Ask = Schemas['AskBody']
export type Change = Schemas['DifferenceBody']
export type Decision = Schemas['DecisionBody']
export type Document = Schemas['DocumentBody']
export type DocumentPage = Schemas['DocumentPage']
export type DocumentText = Schemas['SourceBody']
export type Entity = Schemas['EntityBody']
export type Evidence = Schemas['EvidenceBody']
export type Fact = Schemas['FactBody']
export type FactPage = Schemas['FactPage']
export type FactSample = Schemas['FactSample']
export type Fault = Schemas['FaultBody']
export type Feedback = Schemas['FeedbackBody']
export type Impact = Schemas['ImpactBody'] & { broken_rules?: BrokenRules }
export type Kind = Schemas['TermKindBody']
export type Minute = Schemas['MinuteBody']
export type Named = Schemas['Named']
export type Numbers = Schemas['NumbersBody']
export type Pair = Schemas['PairBody']
export type Pairs = Schemas['IdentityBody']
export type PairState = Schemas['PairStateBody']
export type Primitive = Schemas['ValueKindBody']
export type ProblemBody = Schemas['Problem']
export type Removal = Schemas['RemovalBody']
export type Rename = Schemas['RenameBody']
export type SparqlCell = Schemas['TermBody']
export type SparqlTable = Schemas['TableBody']
export type StageNumbers = Schemas['StageTimes']
export type Status = Schemas['StatusBody']
export type Suggestion = Schemas['SuggestionBody']
export type SuggestionDecision = Schemas['SuggestionDecision']
export type Suggestions = Schemas['SuggestionList']
export type SuggestionState = Schemas['SuggestionState']
export type Text = Schemas['TextBody']
export type Turn = Schemas['TurnBody']
export type Upload = Schemas['UploadBody']
export type Uploaded = Schemas['UploadedBody']
export type Value = Schemas['ValueBody']
export type Verdict = Schemas['VerdictBody']
export type VersionList = Schemas['VersionList']
export type Version = Schemas['VersionBody']

// What a schema may leave out in JSON the editor holds as empty: see `api/schema.ts`.
export type SentChecked = Schemas['CheckBody'] & { shacl?: string | null }
export type SentDraft = Omit<Schemas['DraftBody'], 'schema'> & { schema: SentSchema; splits?: Split[] }
export type SentClass = Schemas['ClassBody'] & { closed?: boolean; rules?: Rule[] }
export type SentRelation = Schemas['RelationBody']
export type SentSchema = Omit<Schemas['SchemaBody'], 'classes'> & { classes: SentClass[] }
