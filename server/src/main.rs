//! The binary `factmask`; see the library for what it does.

fn main() -> std::process::ExitCode {
    factmask_server::cli::main()
}
