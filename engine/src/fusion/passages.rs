//! Passages in attention: blocks from the store like cards, the question prefilled once over them, and the answer decoded as a
//! literal span of a visible sentence.
//!
//! Sentences that are like the question are emphasised, as the lines of a path are on cards. The span is read behind a stem, so that
//! it follows as it stands within a sentence: after a space where the language has them.

use super::{
    Prompt,
    prefill::Encoding,
    prompt,
    run::{Cost, Fuser, Last, Layout, RunOptions, Source, last},
};
use crate::{
    EngineError,
    decode::{SpanScores, SpanToken, Spans, Step, log_sum_exp},
    kv::{Context, Part},
    model::{Forward, Rows, Segment},
    passage::{Passage, kind::Bound},
    tokens::Tokenizer,
};
use std::{collections::HashMap, ops::Range, time::Instant};

/// Beginnings of spans that are followed at once.
const WIDTH: usize = 12;
/// Tokens of the longest span.
const LONGEST: usize = 24;

/// A sentence as it is seen.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Sight {
    /// Whether it is passed over by question and span.
    pub hidden: bool,
    /// Added to the attention logits of its keys.
    pub bias: f32,
    /// Its words in order; none where no span may come from it.
    pub bounds: Vec<Bound>,
}

/// A passage in view.
#[derive(Clone, Debug)]
pub struct Shown<'a> {
    /// The passage.
    pub passage: &'a Passage,
    /// How each of its sentences is seen, in order.
    pub sentences: Vec<Sight>,
}

/// The plan of one question over passages. Positions are given when it is run: prefix, passages, question, stem, span.
#[derive(Clone, Debug)]
pub struct TextPlan {
    prefix: Vec<u32>,
    blocks: Vec<Block>,
    question: Vec<u32>,
    /// A question that asks for nothing, for what is likely without being asked for.
    nothing: Vec<u32>,
    stem: Vec<u32>,
    spans: Spans,
    /// For each token of the automaton where it stands.
    places: Vec<SpanPlace>,
}

/// A passage as tokens.
#[derive(Clone, Debug, Default)]
struct Block {
    tokens: Vec<u32>,
    lines: Vec<Range<u32>>,
    bias: Vec<(Range<u32>, f32)>,
    hidden: Vec<Range<u32>>,
    sentences: usize,
}

/// Where a span stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SpanPlace {
    /// The passage, by its place in the plan.
    pub passage: usize,
    /// The sentence in it.
    pub sentence: usize,
    /// Its bytes in the sentence.
    pub bytes: Range<usize>,
}

/// A span as the model reads it.
#[derive(Clone, Debug)]
pub struct ReadSpan {
    /// Where it stands, first place first; never none.
    pub places: Vec<SpanPlace>,
    /// Logarithm of its probability among all spans and the refusal.
    pub log_probability: f32,
}

/// What the model says of a plan.
#[derive(Clone, Debug)]
pub struct TextReading {
    /// The likeliest spans, best first.
    pub spans: Vec<ReadSpan>,
    /// Each place where a span may begin, as far as its first token, with how much likelier the question makes that beginning than a
    /// question that asks for nothing does, as a logarithm.
    pub lifts: Vec<(SpanPlace, f32)>,
    /// Logarithm of the probability that the passages do not hold the answer.
    pub refusal: f32,
    /// What it cost.
    pub cost: Cost,
}

impl TextPlan {
    /// Compiles a plan.
    ///
    /// # Errors
    /// A text that the tokenizer cannot take, or a model without an end token.
    pub fn compile(
        shown: &[Shown<'_>],
        question: &str,
        lang: &str,
        prompt: &Prompt,
        tokenizer: &Tokenizer,
    ) -> Result<Self, EngineError> {
        let (mut blocks, mut text, mut places) = (Vec::new(), Vec::new(), Vec::new());
        for (number, Shown { passage, sentences }) in shown.iter().enumerate() {
            let mut block = Block { sentences: passage.sentences.len(), ..Block::default() };
            if !passage.heading.is_empty() {
                block.push(&tokenizer.encode(&format!("{}\n", passage.heading))?, &Sight::default());
            }
            for (at, (sentence, sight)) in passage.sentences.iter().zip(sentences).enumerate() {
                let space = if at == 0 || lang == "zh" { "" } else { " " };
                let end = if at + 1 == passage.sentences.len() { "\n" } else { "" };
                // Lines are wrapped anywhere; a space is as long as a line break, so that bytes stay where they are.
                let words = format!("{space}{}{end}", sentence.as_str().replace(['\n', '\r', '\t'], " "));
                let tokens = tokenizer.encode(&words)?;
                block.push(&tokens, sight);
                for (token, bytes) in span_tokens(tokenizer, &tokens, space.len(), &sight.bounds) {
                    text.push(token);
                    places.push(SpanPlace { passage: number, sentence: at, bytes });
                }
            }
            blocks.push(block);
        }
        let ends = ends(tokenizer)?;
        let space = if lang == "zh" { "" } else { " " };
        let refusal = tokenizer.encode(&format!("{space}{}", prompt::not_in_kb(lang)))?;
        Ok(Self {
            prefix: prompt.prefix.clone(),
            blocks,
            question: prompt.tail(tokenizer, question)?,
            nothing: prompt.tail(tokenizer, prompt::nothing_asked(lang))?,
            stem: tokenizer.encode(prompt::stem_of_span(lang))?,
            spans: Spans::new(text, refusal, ends, LONGEST),
            places,
        })
    }

    /// Whether no span can come of it.
    pub fn is_empty(&self) -> bool {
        self.places.is_empty()
    }

    fn place(&self, tokens: &Range<usize>) -> Option<SpanPlace> {
        let first = self.places.get(tokens.start)?;
        let last = self.places.get(tokens.end.checked_sub(1)?)?;
        Some(SpanPlace { bytes: first.bytes.start..last.bytes.end, ..first.clone() })
    }
}

impl Block {
    /// Whether no sentence of it may be seen.
    fn is_hidden(&self) -> bool {
        self.hidden.len() == self.sentences
    }

    fn push(&mut self, tokens: &[u32], sight: &Sight) {
        let start = self.tokens.len() as u32;
        self.tokens.extend(tokens);
        let line = start..self.tokens.len() as u32;
        if sight.bias != 0.0 {
            self.bias.push((line.clone(), sight.bias));
        }
        if sight.hidden {
            self.hidden.push(line.clone());
        }
        self.lines.push(line);
    }
}

/// What says that a span is over: the model's end tokens, and the marks and line breaks that follow a value.
fn ends(tokenizer: &Tokenizer) -> Result<Vec<u32>, EngineError> {
    let mut ends = tokenizer.end_tokens().to_vec();
    for mark in [".", ",", ";", "\n", "。", "，"] {
        if let [token] = tokenizer.encode(mark)?.as_slice() {
            ends.push(*token);
        }
    }
    if ends.is_empty() {
        let fault = "the model file names no end token; use a model with tokenizer.ggml.eos_token_id";
        return Err(EngineError::Tokenizer(fault.to_owned()));
    }
    Ok(ends)
}

/// The tokens of a sentence as the automaton takes them, each with its bytes in the sentence (without the space before it), from the
/// first that may begin a span to the last that may end one. The sentence stands `skipped` bytes behind the first token's start.
fn span_tokens(
    tokenizer: &Tokenizer,
    tokens: &[u32],
    skipped: usize,
    bounds: &[Bound],
) -> Vec<(SpanToken, Range<usize>)> {
    let mut found: Vec<(SpanToken, Range<usize>)> = Vec::new();
    let mut end = 0;
    for token in tokens {
        // The vocabulary writes a character for each byte.
        let written = tokenizer.token(*token).unwrap_or_default();
        let start = end;
        end += written.chars().count();
        let spaces = written.chars().take_while(|char| *char == SPACE).count();
        let bytes = (start + spaces).max(skipped) - skipped..end.max(skipped) - skipped;
        let begins = bounds.iter().any(|bound| bound.begins && bound.word.start == bytes.start);
        // Where the space before a word is a token of its own, the span begins with that.
        let begun = spaces == 0 && found.last().is_some_and(|(before, own)| before.begins.is_some() && own.is_empty());
        let spaced = || match spaces {
            0 => tokenizer.id(&format!("{SPACE}{written}")).unwrap_or(*token),
            _ => *token,
        };
        let ends = !bytes.is_empty() && bounds.iter().any(|bound| bound.ends && bound.word.end == bytes.end);
        let begins = (begins && !begun).then(spaced);
        let parts = !bytes.is_empty() && bounds.iter().any(|bound| !bound.joins && bound.word.end == bytes.end);
        found.push((SpanToken { token: *token, begins, ends, goes_on: !parts }, bytes));
    }
    let first = found.iter().position(|(token, _)| token.begins.is_some()).unwrap_or(found.len());
    let last = found.iter().rposition(|(token, _)| token.ends).map_or(0, |last| last + 1);
    found.truncate(last);
    let mut kept: Vec<_> = found.drain(first.min(last)..).collect();
    if let Some((token, _)) = kept.last_mut() {
        token.goes_on = false;
    }
    kept
}

/// How vocabularies of bytes write a space.
const SPACE: char = 'Ġ';

impl Fuser {
    /// Reads the spans of a plan. Of the options layout and source count.
    ///
    /// # Errors
    /// A prompt beyond the model's context.
    pub fn read_spans(&self, tenant: &str, plan: &TextPlan, options: RunOptions) -> Result<TextReading, EngineError> {
        let mut cost = Cost::default();
        let begin = plan.spans.tokens(&plan.spans.begin());
        let Decoded { scores, lifts } = match options.source {
            Source::Uniform => {
                let nothing = |steps: &[Step]| Ok(steps.iter().map(|step| vec![0.0; step.tokens.len()]).collect());
                let scores = plan.spans.search::<EngineError>(WIDTH, vec![0.0; begin.len()], nothing)?;
                Decoded { scores, ..Decoded::default() }
            }
            Source::Model => {
                let contexts = match options.layout {
                    Layout::Blocks => self.passages_as_blocks(tenant, plan, &mut cost)?,
                    Layout::Pasted => self.passages_pasted(plan, &mut cost)?,
                };
                self.decode_spans(plan, &begin, contexts, &mut cost)?
            }
        };
        let spans = scores.spans.iter().filter_map(|span| {
            let places: Vec<SpanPlace> = span.places.iter().filter_map(|tokens| plan.place(tokens)).collect();
            (!places.is_empty()).then_some(ReadSpan { places, log_probability: span.log_probability })
        });
        let begun = plan.places.iter().enumerate().filter_map(|(at, place)| {
            let token = plan.spans.begun(&(at..at + 1))?;
            Some((place.clone(), lifts.get(&token).copied()?))
        });
        Ok(TextReading { spans: spans.collect(), lifts: begun.collect(), refusal: scores.refusal, cost })
    }

    /// The passages in view as blocks from the store: plain as the question sees them, and with the emphasis that the span does.
    fn passages_as_blocks(&self, tenant: &str, plan: &TextPlan, cost: &mut Cost) -> Result<[Context; 2], EngineError> {
        let sink = self.sink(tenant, &plan.prefix, cost)?;
        let prefix = Context::new().with(Part::new(sink.clone()));
        let (mut plain, mut emphasised) = (prefix.clone(), prefix.clone());
        let mut next = plan.prefix.len() as u32;
        // A passage with nothing to show takes no position, and is not encoded.
        for block in plan.blocks.iter().filter(|block| !block.is_hidden()) {
            let encoding = Encoding {
                tenant,
                prefix: &plan.prefix,
                tokens: block.tokens.clone(),
                lines: block.lines.clone(),
                context: &prefix,
            };
            let kept = self.block(encoding, cost)?;
            let started = Instant::now();
            let part = Part { hidden: block.hidden.clone(), ..Part::new(self.model.place(&kept.kv, next)?) };
            emphasised.push(Part { bias: block.bias.clone(), ..part.clone() });
            plain.push(part);
            next += block.tokens.len() as u32;
            cost.place += started.elapsed();
        }
        cost.visible_tokens = next as usize;
        Ok([plain, emphasised])
    }

    /// The same, pasted and prefilled as one text.
    fn passages_pasted(&self, plan: &TextPlan, cost: &mut Cost) -> Result<[Context; 2], EngineError> {
        let started = Instant::now();
        let (mut tokens, mut bias, mut hidden) = (plan.prefix.clone(), Vec::new(), Vec::new());
        for block in plan.blocks.iter().filter(|block| !block.is_hidden()) {
            let at = tokens.len() as u32;
            let shift = |line: &Range<u32>| line.start + at..line.end + at;
            bias.extend(block.bias.iter().map(|(line, bias)| (shift(line), *bias)));
            hidden.extend(block.hidden.iter().map(shift));
            tokens.extend(&block.tokens);
        }
        cost.visible_tokens = tokens.len();
        let empty = Context::new();
        let segment = Segment { tokens: &tokens, start: 0, context: &empty, logits: Rows::None, capture: &[] };
        let Last { kv, .. } = last(self.model.forward(&[segment])?)?;
        let part = Part { hidden, ..Part::new(self.model.place(&kv, 0)?) };
        let emphasised = Context::new().with(Part { bias, ..part.clone() });
        cost.prefill = started.elapsed();
        Ok([Context::new().with(part), emphasised])
    }

    /// Reads the question, and beside it one that asks for nothing; then the spans behind the stem.
    fn decode_spans(
        &self,
        plan: &TextPlan,
        begin: &[u32],
        [plain, emphasised]: [Context; 2],
        cost: &mut Cost,
    ) -> Result<Decoded, EngineError> {
        let started = Instant::now();
        let start = plain.end();
        let asked = [&plan.question, &plan.nothing].map(|tokens| Segment {
            tokens,
            start,
            context: &plain,
            logits: Rows::None,
            capture: &[],
        });
        let mut contexts = Vec::new();
        for read in self.model.forward(&asked)? {
            contexts.push(emphasised.with(Part::new(self.model.place(&read.kv, start)?)));
        }
        cost.prefill += started.elapsed();
        let started = Instant::now();
        let stems: Vec<Segment<'_>> = contexts
            .iter()
            .map(|context| Segment {
                tokens: &plan.stem,
                start: context.end(),
                context,
                logits: Rows::LastOf(begin),
                capture: &[],
            })
            .collect();
        let read = self.model.forward(&stems)?;
        let [Forward { kv, logits, .. }, Forward { logits: prior, .. }] = read.as_slice() else {
            return Err(EngineError::EmptySegment("a plan"));
        };
        let [Some(root), Some(prior)] = [logits.first(), prior.first()] else {
            return Err(EngineError::EmptySegment("a plan"));
        };
        let (sum, prior_sum) = (log_sum_exp(root), log_sum_exp(prior));
        let lifts = root.iter().zip(prior).map(|(own, prior)| (own - sum) - (prior - prior_sum));
        let lifts: HashMap<u32, f32> = begin.iter().copied().zip(lifts).collect();
        let Some(context) = contexts.first() else { return Err(EngineError::EmptySegment("a plan")) };
        let mut reached = vec![context.with(Part::new(self.model.place(kv, context.end())?))];
        let scores = plan.spans.search(WIDTH, root.clone(), |steps| {
            let before: Vec<&Context> = steps.iter().filter_map(|step| reached.get(step.from)).collect();
            let segments: Vec<Segment<'_>> = steps
                .iter()
                .zip(&before)
                .map(|(step, context)| Segment {
                    tokens: &step.written,
                    start: context.end(),
                    context,
                    logits: Rows::LastOf(&step.tokens),
                    capture: &[],
                })
                .collect();
            let mut rows = Vec::with_capacity(steps.len());
            let mut contexts = Vec::with_capacity(steps.len());
            for (mut result, context) in self.model.forward(&segments)?.into_iter().zip(before) {
                contexts.push(context.with(Part::new(self.model.place(&result.kv, context.end())?)));
                rows.push(result.logits.pop().unwrap_or_default());
            }
            reached = contexts;
            Ok::<_, EngineError>(rows)
        })?;
        cost.read = started.elapsed();
        Ok(Decoded { scores, lifts })
    }
}

/// What the model says before it is brought back to the text.
#[derive(Default)]
struct Decoded {
    scores: SpanScores,
    /// By the token that a span begins with.
    lifts: HashMap<u32, f32>,
}
