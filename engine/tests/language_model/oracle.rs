//! SmolLM2 against candle's quantised llama, which reads the same file and shares no code with ours beyond it.

use crate::support::{alone, smollm, smollm_file};
use candle_core::{Device, Tensor, quantized::gguf_file::Content};
use candle_transformers::models::quantized_llama::ModelWeights;
use factmask_engine::{
    kv::{Context, Part},
    model::{LanguageModel, Rows, Segment},
};
use std::fs::File;

const STEPS: usize = 48;

/// candle rounds the activations before each product to eight bits, we do not, so its logits scatter around ours by some
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

struct Candle(ModelWeights);

impl Candle {
    fn open() -> Self {
        let mut file = File::open(smollm_file()).unwrap();
        let content = Content::read(&mut file).unwrap();
        Self(ModelWeights::from_gguf(content, &mut file, &Device::Cpu).unwrap())
    }

    fn logits(&mut self, tokens: &[u32], start: usize) -> Vec<f32> {
        let tokens = Tensor::new(tokens, &Device::Cpu).unwrap().unsqueeze(0).unwrap();
        self.0.forward(&tokens, start).unwrap().flatten_all().unwrap().to_vec1().unwrap()
    }
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
#[test]
fn greedy_choices_agree_with_candle_but_for_near_ties() {
    let model = smollm();
    let mut candle = Candle::open();
    let mut parted = 0;
    for prompt in PROMPTS {
        let mut tokens = model.tokenizer().encode_markup(prompt).unwrap();
        let (mut context, mut at) = (Context::new(), 0);
        let mut next = tokens.clone();
        for step in 0..STEPS {
            let found = ours(model, &mut context, &next);
            let theirs = candle.logits(&next, at);
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
    println!("{parted} of {} choices differ", STEPS * PROMPTS.len());
    assert!(parted <= MOST_PARTED, "{parted} choices differ");
}
