include(runtime/cmake/Package.cmake)
