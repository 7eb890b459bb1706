// Prints a schema of 5,000 classes, four below each, and 2,000 relations: two thirds between classes, the others to values.
const names = (n, en, zh) => `rdfs:label "${en} ${n}"@en, "${zh}${n}"@zh`
const lines = [
  '@prefix l: <https://example.org/large/> .',
  '@prefix fm: <urn:factmask:schema#> .',
  '@prefix rdf: <http://www.w3.org/1999/02/22-rdf-syntax-ns#> .',
  '@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .',
  '@prefix xsd: <http://www.w3.org/2001/XMLSchema#> .',
]
for (let n = 0; n < 5_000; n++) {
  const below = n > 0 ? ` ; rdfs:subClassOf l:K${Math.floor((n - 1) / 4)}` : ''
  lines.push(`l:K${n} a rdfs:Class ; ${names(n, 'kind', '类')}${below} .`)
}
for (let n = 0; n < 2_000; n++) {
  const range = n % 3 === 0 ? 'xsd:decimal' : `l:K${(n * 13) % 5_000}`
  lines.push(`l:r${n} a rdf:Property ; ${names(n, 'relates', '关系')} ; rdfs:domain l:K${(n * 7) % 5_000} ; rdfs:range ${range} ;`)
  lines.push(`    fm:question "What does {s} relate to by ${n}?"@en ; fm:statement "{s} relates by ${n} to {o}."@en .`)
}
console.log(lines.join('\n'))
