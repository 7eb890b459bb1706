export default function NumbersPage() { return null }
