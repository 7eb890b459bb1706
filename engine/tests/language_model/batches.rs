//! What a segment computes does not depend on the batch or the threads, to the last bit.

use crate::support::{Noise, TINY_VOCAB, Tiny, alone, bits, options, smollm, smollm_file};
use factmask_engine::{
    kv::{Context, KvPrecision, Part},
    model::{Forward, LanguageModel, Rows, Segment},
};
use proptest::prelude::*;

/// Tokens, start and number of cards in sight of a segment.
type Shape = (Vec<u32>, u32, usize);

fn context(model: &LanguageModel, seed: u64, cards: usize) -> Context {
    let mut noise = Noise(seed);
    let none = Context::new();
    (0..cards).fold(Context::new(), |context, _| {
        let len = 1 + noise.below(50);
        let tokens = noise.tokens(len, TINY_VOCAB);
        let segment = Segment { tokens: &tokens, start: 0, context: &none, logits: Rows::None, capture: &[] };
        let start = noise.below(100) as u32;
        let mut part = Part::new(model.place(&alone(model, segment).kv, start).unwrap());
        part.hidden = vec![3..5];
        part.bias = vec![(2..10, 1.5)];
        context.with(part)
    })
}

fn same(a: &Forward, b: &Forward) -> bool {
    a.kv == b.kv && bits(&a.logits) == bits(&b.logits) && bits(&a.hidden) == bits(&b.hidden)
}

/// In no order, one twice, some in one panel of the output matrix.
const WANTED: &[u32] = &[17, 3, 40, 2, 17, 18];

fn check(model: &LanguageModel, single: &LanguageModel, shapes: &[Shape]) {
    let contexts: Vec<_> = shapes.iter().enumerate().map(|(i, shape)| context(model, i as u64, shape.2)).collect();
    let batch: Vec<_> = shapes
        .iter()
        .zip(&contexts)
        .enumerate()
        .map(|(index, ((tokens, start, _), context))| {
            let logits = [Rows::All, Rows::Last, Rows::None, Rows::LastOf(WANTED)][index % 4];
            Segment { tokens, start: *start, context, logits, capture: &[1, 0][..index % 3] }
        })
        .collect();
    let together = model.forward(&batch).unwrap();
    assert_eq!(together.len(), batch.len());
    for (index, (segment, done)) in batch.iter().zip(&together).enumerate() {
        assert!(same(done, &alone(model, *segment)), "segment {index} of {} differs when alone", batch.len());
        assert!(same(done, &alone(single, *segment)), "segment {index} differs on one thread");
        let rows = [segment.tokens.len(), 1, 0, 1][index % 4];
        assert_eq!((done.logits.len(), done.hidden.len(), done.kv.len()), (rows, index % 3, segment.tokens.len()));
    }
    for (segment, done) in batch.iter().zip(&together).filter(|(segment, _)| segment.logits == Rows::LastOf(WANTED)) {
        let whole = alone(model, Segment { logits: Rows::Last, ..*segment }).logits.remove(0);
        let some: Vec<_> = WANTED.iter().map(|token| whole[*token as usize]).collect();
        assert_eq!(bits(&done.logits), bits(&[some]), "some logits differ from all");
    }
    let reversed: Vec<_> = batch.iter().rev().copied().collect();
    let reversed = single.forward(&reversed).unwrap();
    assert!(together.iter().zip(reversed.iter().rev()).all(|(a, b)| same(a, b)), "the batch differs reversed");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn tiny_segments_keep_their_bits(
        qwen: bool,
        precision in prop_oneof![Just(KvPrecision::F32), Just(KvPrecision::F16), Just(KvPrecision::Int8)],
        shapes in prop::collection::vec((prop::collection::vec(0..TINY_VOCAB as u32, 1..40), 0_u32..300, 0_usize..4), 1..6),
    ) {
        let folder = tempfile::tempdir().unwrap();
        let path = if qwen { Tiny::qwen2() } else { Tiny::llama() }.write(folder.path(), 11);
        let [single, double] = [1, 2].map(|threads| LanguageModel::open(&path, &options(threads, precision)).unwrap());
        check(&double, &single, &shapes);
    }
}

#[test]
fn smollm_segments_keep_their_bits() {
    let single = LanguageModel::open(&smollm_file(), &options(1, KvPrecision::F32)).unwrap();
    let mut noise = Noise(31);
    let shapes: Vec<_> = [1, 37, 9, 150, 2]
        .iter()
        .enumerate()
        .map(|(i, len)| (noise.tokens(*len, 49_152), 7 * i as u32, i % 3))
        .collect();
    check(smollm(), &single, &shapes);
    check(&LanguageModel::open(&smollm_file(), &options(2, KvPrecision::F32)).unwrap(), &single, &shapes[..2]);
}
