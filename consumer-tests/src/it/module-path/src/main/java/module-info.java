module users {
  requires dev.weir;
  requires dev.weir.memory;
}
