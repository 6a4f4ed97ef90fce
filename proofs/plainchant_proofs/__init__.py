"""The prover of Plainchant: the engine's kernel, evaluated over Z3's terms by the engine's own evaluator."""
