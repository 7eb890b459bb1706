//! SmolLM2 against candle's quantised llama and Qwen2.5 against its quantised qwen2, which read the same files and share no code
//! with ours beyond them.

use crate::support::{alone, exact, pulled, smollm, smollm_file};
use candle_core::{Device, Tensor, quantized::gguf_file::Content};
use candle_transformers::models::{quantized_llama, quantized_qwen2};
use factmask_engine::{
    kv::{Context, KvPrecision, Part},
    model::{LanguageModel, Rows, Segment},
};
use std::{fs::File, path::Path};

const STEPS: usize = 48;

/// candle rounds the activations before each product to eight bits, exact arithmetic does not, so its logits scatter around ours by some
/// tenths; llama.cpp's, rounded alike, scatter as widely.
/// Where it prefers another token than we do, ours may lead by at most this much, and its choice must be our second.
const NEAR_TIE: f32 = 0.5;
/// Most choices of all that may differ so.
const MOST_PARTED: usize = 8;

const PROMPTS: [&str; 5] = [
    "<|im_start|>user\nWhat is the capital of France?<|im_end|>\n<|im_start|>assistant\n",
    "<|im_start|>user\nWrite three short sentences about rain.<|im_end|>\n<|im_start|>assistant\n",
    "The quick brown fox jumps over the lazy dog. The dog",
    "<|im_start|>user\nFacts:\n- The capital of Freedonia is Marxville.\nWhat is the capital of Freedonia?<|im_end|>\n<|im_start|>assistant\n",
    "def fibonacci(n):\n    \"\"\"Returns the n-th number.\"\"\"\n",
];

/// For a model that reads Chinese.
const CHINESE: &str = "<|im_start|>user\n事实：\n- 苹果公司2023财年研发投入为299亿美元。\n苹果公司2023财年的研发投入是多少？<|im_end|>\n<|im_start|>assistant\n";

/// candle's model: the tokens' logits over those that it has seen, from this position on.
type Theirs = Box<dyn FnMut(&Tensor, usize) -> candle_core::Result<Tensor>>;

fn open(path: &Path) -> (Content, File) {
    let mut file = File::open(path).unwrap();
    (Content::read(&mut file).unwrap(), file)
}

fn llama(path: &Path) -> Theirs {
    let (content, mut file) = open(path);
    let mut model = quantized_llama::ModelWeights::from_gguf(content, &mut file, &Device::Cpu).unwrap();
    Box::new(move |tokens, start| model.forward(tokens, start))
}

fn qwen2(path: &Path) -> Theirs {
    let (content, mut file) = open(path);
    let mut model = quantized_qwen2::ModelWeights::from_gguf(content, &mut file, &Device::Cpu).unwrap();
    Box::new(move |tokens, start| model.forward(tokens, start))
}

/// Tokens from the most to the less likely, `count` of them.
fn best(logits: &[f32], count: usize) -> Vec<u32> {
    let mut order: Vec<u32> = (0..logits.len() as u32).collect();
    order.sort_by(|a, b| logits[*b as usize].total_cmp(&logits[*a as usize]));
    order.truncate(count);
    order
}

/// Our logits for the last of `tokens`, decoding token by token over what is there.
fn ours(model: &LanguageModel, context: &mut Context, tokens: &[u32]) -> Vec<f32> {
    let start = context.end();
    let segment = Segment { tokens, start, context, logits: Rows::Last, capture: &[] };
    let mut done = alone(model, segment);
    context.push(Part::new(model.place(&done.kv, start).unwrap()));
    done.logits.remove(0)
}

/// Both are led along our own greedy choice and compared at every step.
fn greedy_choices_agree(model: &LanguageModel, mut theirs: Theirs, prompts: &[&str]) {
    let mut parted = 0;
    for prompt in prompts {
        let mut tokens = model.tokenizer().encode_markup(prompt).unwrap();
        let (mut context, mut at) = (Context::new(), 0);
        let mut next = tokens.clone();
        for step in 0..STEPS {
            let found = ours(model, &mut context, &next);
            let input = Tensor::new(next.as_slice(), &Device::Cpu).unwrap().unsqueeze(0).unwrap();
            let theirs: Vec<f32> = theirs(&input, at).unwrap().flatten_all().unwrap().to_vec1().unwrap();
            at += next.len();
            let choices = best(&found, 2);
            let choice = best(&theirs, 1)[0];
            if choice != choices[0] {
                let gap = found[choices[0] as usize] - found[choice as usize];
                println!(
                    "{prompt:?} step {step}: ours {} {:.3} (candle {:.3}), candle's {choice} {:.3} (ours {:.3}, gap {gap:.3})",
                    choices[0],
                    found[choices[0] as usize],
                    theirs[choices[0] as usize],
                    theirs[choice as usize],
                    found[choice as usize],
                );
                assert!(gap < NEAR_TIE && choice == choices[1], "{prompt:?} parts at step {step} by {gap}");
                parted += 1;
            }
            next = vec![choices[0]];
            tokens.push(choices[0]);
        }
        println!("{:?}", model.tokenizer().decode(&tokens));
    }
    println!("{parted} of {} choices differ", STEPS * prompts.len());
    assert!(parted <= MOST_PARTED, "{parted} choices differ");
}

#[test]
fn smollm_agrees_with_candle_but_for_near_ties() {
    let model = LanguageModel::open(&smollm_file(), &exact(0, KvPrecision::F32)).unwrap();
    greedy_choices_agree(&model, llama(&smollm_file()), &PROMPTS);
}

/// Along the greedy choices of the exact arithmetic: how often the other one chooses alike, and how far its next token is.
#[test]
fn whole_numbers_agree_with_exact_arithmetic_but_for_near_ties() {
    let reference = LanguageModel::open(&smollm_file(), &exact(0, KvPrecision::F32)).unwrap();
    let (mut parted, mut divergence, mut widest) = (0, 0.0, 0.0_f32);
    for prompt in PROMPTS {
        let mut next = reference.tokenizer().encode_markup(prompt).unwrap();
        let mut contexts = [Context::new(), Context::new()];
        for _ in 0..STEPS {
            let [found, expected] = [smollm(), &reference].map(|model| {
                let context = &mut contexts[usize::from(std::ptr::eq(model, &raw const reference))];
                ours(model, context, &next)
            });
            let (choice, wanted) = (best(&found, 1)[0], best(&expected, 1)[0]);
            if choice != wanted {
                parted += 1;
                widest = widest.max(expected[wanted as usize] - expected[choice as usize]);
            }
            divergence += kullback_leibler(&expected, &found);
            next = vec![wanted];
        }
    }
    let mean = divergence / (STEPS * PROMPTS.len()) as f64;
    println!("{parted} of {} choices differ, at most {widest} apart; mean divergence {mean:e}", STEPS * PROMPTS.len());
    assert!(parted <= MOST_PARTED && widest < NEAR_TIE && mean < 0.01);
}

/// In nats, of two sets of logits.
fn kullback_leibler(expected: &[f32], found: &[f32]) -> f64 {
    let log_probabilities = |logits: &[f32]| {
        let largest = logits.iter().copied().fold(f32::MIN, f32::max);
        let sum: f64 = logits.iter().map(|logit| f64::from(logit - largest).exp()).sum();
        logits.iter().map(|logit| f64::from(logit - largest) - sum.ln()).collect::<Vec<f64>>()
    };
    let pairs = log_probabilities(expected).into_iter().zip(log_probabilities(found));
    pairs.map(|(expected, found)| expected.exp() * (expected - found)).sum()
}

#[test]
fn qwen_agrees_with_candle_but_for_near_ties() {
    let Some(path) = pulled("qwen2.5-coder-0.5b-instruct", "Qwen2.5-Coder-0.5B-Instruct.Q4_K_M.gguf") else { return };
    let model = LanguageModel::open(&path, &exact(0, KvPrecision::F32)).unwrap();
    let [france, rain, fox, freedonia, _] = PROMPTS;
    greedy_choices_agree(&model, qwen2(&path), &[france, rain, fox, freedonia, CHINESE]);
}
